module example.com/importing

go 1.24
