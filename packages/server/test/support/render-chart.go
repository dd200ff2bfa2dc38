// Makes the manifests of the chart where helm is not at hand, with Go's own templates, which helm's are, and those few of helm's
// further functions that the chart uses. Structures are written as JSON, which is YAML. Not a replacement of helm: the order
// of documents and hooks mean nothing here.
//
//	go run render-chart.go <templates folder> < {"Values": …, "Chart": …, "Release": …}
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"text/template"
)

func whole(value any) int {
	switch given := value.(type) {
	case int:
		return given
	case float64:
		return int(given)
	}
	number, err := strconv.Atoi(fmt.Sprint(value))
	if err != nil {
		panic(err)
	}
	return number
}

func indented(width int, text string) string {
	return "\n" + strings.Repeat(" ", width) + strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", width))
}

func main() {
	var given map[string]any
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	all := template.New("chart").Option("missingkey=error")
	functions := template.FuncMap{
		"include": func(name string, data any) (string, error) {
			var text strings.Builder
			err := all.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
		"toYaml": func(value any) (string, error) {
			text, err := json.Marshal(value)
			return string(text), err
		},
		"nindent":    indented,
		"quote":      func(value any) string { return strconv.Quote(fmt.Sprint(value)) },
		"contains":   func(part, text string) bool { return strings.Contains(text, part) },
		"trunc":      func(length int, text string) string { return text[:min(length, len(text))] },
		"trimSuffix": func(end, text string) string { return strings.TrimSuffix(text, end) },
		"int":        whole,
		"add": func(values ...any) int {
			sum := 0
			for _, value := range values {
				sum += whole(value)
			}
			return sum
		},
		"until": func(count int) []int {
			numbers := make([]int, count)
			for index := range numbers {
				numbers[index] = index
			}
			return numbers
		},
		"join": func(between string, list []any) string {
			texts := make([]string, len(list))
			for index, each := range list {
				texts[index] = fmt.Sprint(each)
			}
			return strings.Join(texts, between)
		},
		"default": func(otherwise, value any) any {
			if value == nil || reflect.ValueOf(value).IsZero() {
				return otherwise
			}
			return value
		},
		"dict": func(pairs ...any) map[string]any {
			made := map[string]any{}
			for index := 0; index < len(pairs); index += 2 {
				made[pairs[index].(string)] = pairs[index+1]
			}
			return made
		},
	}
	all = template.Must(all.Funcs(functions).ParseGlob(filepath.Join(os.Args[1], "*")))
	for _, each := range all.Templates() {
		if !strings.HasSuffix(each.Name(), ".yaml") {
			continue
		}
		fmt.Printf("---\n")
		if err := each.Execute(os.Stdout, given); err != nil {
			panic(err)
		}
	}
}
