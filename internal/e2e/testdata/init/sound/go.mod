module example.com/sound

go 1.24
