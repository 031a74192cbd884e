// Runs a Tiltfile as Starlark, which it is, and prints the calls of Tilt's own functions as JSON. Helm
// is really run. What Tilt would do with the calls is not known here.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
	"sigs.k8s.io/yaml"
)

type call struct {
	Function  string         `json:"function"`
	Arguments map[string]any `json:"arguments"`
}

type reader struct {
	folder string
	helm   string
	calls  []call
}

// Functions of the Tilt API that are only recorded, each with the names of its positional parameters.
var recorded = map[string][]string{
	"version_settings": {"constraint"},
	"docker_build":     {"ref", "context"},
	"k8s_yaml":         {"yaml"},
	"k8s_resource":     {"workload", "new_name"},
	"local_resource":   {"name", "cmd"},
	"sync":             {"local_path", "remote_path"},
	"fall_back_on":     {"files"},
	"link":             {"url", "name"},
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "Usage: tilt-reader HELM TILTFILE")
		os.Exit(2)
	}
	r := &reader{helm: os.Args[1], folder: filepath.Dir(os.Args[2])}
	if err := r.run(os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (r *reader) run(file string) error {
	options := &syntax.FileOptions{TopLevelControl: true, GlobalReassign: true}
	if _, err := starlark.ExecFileOptions(options, &starlark.Thread{}, file, nil, r.builtins()); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(r.calls)
}

func (r *reader) builtins() starlark.StringDict {
	all := starlark.StringDict{
		"TRIGGER_MODE_MANUAL": starlark.String("manual"),
		"k8s_namespace":       starlark.NewBuiltin("k8s_namespace", namespace),
		"read_file":           starlark.NewBuiltin("read_file", r.readFile),
		"helm":                starlark.NewBuiltin("helm", r.template),
		"decode_yaml_stream":  starlark.NewBuiltin("decode_yaml_stream", decode),
		"encode_yaml_stream":  starlark.NewBuiltin("encode_yaml_stream", encode),
	}
	for name, parameters := range recorded {
		all[name] = starlark.NewBuiltin(name, r.record(name, parameters))
	}
	return all
}

type builtin = func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error)

func (r *reader) record(name string, parameters []string) builtin {
	return func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) > len(parameters) {
			return nil, fmt.Errorf("%s: too many arguments", name)
		}
		given := starlark.NewDict(len(args) + len(kwargs))
		for index, value := range args {
			given.SetKey(starlark.String(parameters[index]), value)
		}
		for _, pair := range kwargs {
			given.SetKey(pair[0], pair[1])
		}
		arguments, _ := toGo(given).(map[string]any)
		r.calls = append(r.calls, call{name, arguments})
		return given, nil
	}
}

func namespace(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	return starlark.String("default"), nil
}

func (r *reader) readFile(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var path string
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "file_path", &path); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(r.folder, path))
	return starlark.String(text), err
}

func (r *reader) template(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var chart, name, namespace string
	values := &starlark.List{}
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "chart", &chart, "name", &name, "namespace", &namespace, "values", &values); err != nil {
		return nil, err
	}
	words := []string{"template", name, filepath.Join(r.folder, chart), "--namespace", namespace, "--skip-tests"}
	words = append(words, "--kube-version", os.Getenv("KUBE_VERSION"))
	for index := range values.Len() {
		file, _ := starlark.AsString(values.Index(index))
		words = append(words, "--values", filepath.Join(r.folder, file))
	}
	var problem bytes.Buffer
	command := exec.Command(r.helm, words...)
	command.Stderr = &problem
	text, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("helm: %s", problem.String())
	}
	return starlark.String(text), nil
}

func decode(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var text string
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "yaml", &text); err != nil {
		return nil, err
	}
	documents := []starlark.Value{}
	for _, document := range bytes.Split([]byte("\n"+text), []byte("\n---")) {
		var value any
		if err := yaml.Unmarshal(document, &value); err != nil {
			return nil, err
		}
		if value != nil {
			documents = append(documents, toStarlark(value))
		}
	}
	return starlark.NewList(documents), nil
}

func encode(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var objects *starlark.List
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "objs", &objects); err != nil {
		return nil, err
	}
	return objects, nil
}
