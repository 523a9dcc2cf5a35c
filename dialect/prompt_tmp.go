package dialect

import "helve/tool"

func (d *Dialect) Prompt(tools []tool.Definition, l Language) string { return "" }
