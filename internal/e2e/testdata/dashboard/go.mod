module example.com/dashboard

go 1.24
