package stdio
