// Reads a Compose file as Docker Compose does, with its own library: the schema, references between
// services, and variables. Prints the project as JSON, or what is wrong with it.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	if err := read(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func read(files []string) error {
	options, err := cli.NewProjectOptions(files, cli.WithInterpolation(true), cli.WithDefaultProfiles("*"))
	if err != nil {
		return err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(project)
}
