package golden

import (
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// HeldTo returns what holds documents to a JSON Schema, in which no object may have a member that it does not name.
func HeldTo(schema string) (agrees func(document string) error, err error) {
	closed := strings.ReplaceAll(schema, `"properties": {`, `"additionalProperties": false, "properties": {`)
	parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(closed))
	if err != nil {
		return nil, err
	}
	const name = "schema.json"
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, parsed); err != nil {
		return nil, err
	}
	s, err := c.Compile(name)
	if err != nil {
		return nil, err
	}
	return func(document string) error {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(document))
		if err != nil {
			return err
		}
		return s.Validate(v)
	}, nil
}
