module bench.test

go 1.24.0

require (
	github.com/pelletier/go-toml/v2 v2.4.3
	github.com/tdewolff/parse/v2 v2.8.20
	github.com/yuin/goldmark v1.8.7
	gopkg.in/yaml.v3 v3.0.1
	mvdan.cc/sh/v3 v3.12.0
)
