module gnaw.test/planted

go 1.24
