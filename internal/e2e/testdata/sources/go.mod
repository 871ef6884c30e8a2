module example.com/sources

go 1.24
