package main

import (
	"sort"

	"go.starlark.net/starlark"
)

func toGo(value starlark.Value) any {
	switch v := value.(type) {
	case starlark.String:
		return string(v)
	case starlark.Bool:
		return bool(v)
	case starlark.Int:
		number, _ := v.Int64()
		return number
	case starlark.Float:
		return float64(v)
	case *starlark.Dict:
		all := map[string]any{}
		for _, item := range v.Items() {
			name, _ := starlark.AsString(item[0])
			all[name] = toGo(item[1])
		}
		return all
	case starlark.Indexable:
		all := []any{}
		for index := range v.Len() {
			all = append(all, toGo(v.Index(index)))
		}
		return all
	}
	return nil
}

func toStarlark(value any) starlark.Value {
	switch v := value.(type) {
	case string:
		return starlark.String(v)
	case bool:
		return starlark.Bool(v)
	case float64:
		if v == float64(int64(v)) {
			return starlark.MakeInt64(int64(v))
		}
		return starlark.Float(v)
	case []any:
		all := []starlark.Value{}
		for _, item := range v {
			all = append(all, toStarlark(item))
		}
		return starlark.NewList(all)
	case map[string]any:
		names := []string{}
		for name := range v {
			names = append(names, name)
		}
		sort.Strings(names)
		all := starlark.NewDict(len(v))
		for _, name := range names {
			all.SetKey(starlark.String(name), toStarlark(v[name]))
		}
		return all
	}
	return starlark.None
}
