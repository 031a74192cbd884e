module nutrition-journal/tilt-reader

go 1.25.0

require (
	go.starlark.net v0.0.0-20260908191801-89a6a09411d5
	sigs.k8s.io/yaml v1.6.0
)

require (
	go.yaml.in/yaml/v2 v2.4.2 // indirect
	golang.org/x/sys v0.42.0 // indirect
)
