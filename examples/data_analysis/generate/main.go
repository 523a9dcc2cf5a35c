// Generate makes the data of this example: a year of a chain of tea shops that
// does not exist.
//
//	go generate ./examples/data_analysis/generate
//
// It makes the same files every time. Prices are multiples of a quarter, which a
// binary fraction holds exactly, so every sum is exact too, in any order.
package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/xuri/excelize/v2"
)

//go:generate go run . ../data

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) != 1 {
		return fmt.Errorf("usage: generate FOLDER")
	}
	files, err := generate()
	if err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(arguments[0], name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func generate() (files map[string][]byte, err error) {
	files = map[string][]byte{}
	for name, make := range map[string]func() ([]byte, error){
		"sales.csv": sales, "stores.jsonl": storeLines, "targets.xlsx": targets,
	} {
		if files[name], err = make(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return files, nil
}

type store struct {
	Store  string `json:"store"`
	Region string `json:"region"`
	Opened string `json:"opened"`
	Seats  int    `json:"seats"`
}

var stores = []store{
	{"Aster Lane", "North", "2016-04-02", 38}, {"Birch Gate", "North", "2019-09-14", 24}, {"Canal Row", "North", "2022-03-05", 30},
	{"Dock Street", "East", "2017-06-10", 44}, {"Elm Square", "East", "2020-10-03", 20}, {"Ferry Hill", "East", "2023-05-20", 26},
	{"Garden Walk", "South", "2015-03-07", 52}, {"Harbour View", "South", "2018-07-21", 40}, {"Ivy Court", "South", "2021-02-13", 28},
	{"Jade Bridge", "West", "2018-11-03", 22}, {"King's Mile", "West", "2021-08-28", 34}, {"Linden Yard", "West", "2024-01-20", 18},
}

// product is what is sold. byMonth is how it sells from January to December, in
// percent of its usual units.
type product struct {
	name    string
	quarter int // the price, in quarters
	units   int // of a usual week in one store
	byMonth [12]int
}

var products = []product{
	{"Green tea", 18, 46, [12]int{90, 90, 100, 110, 115, 105, 95, 95, 105, 105, 95, 90}},
	{"Black tea", 15, 52, [12]int{120, 115, 105, 95, 85, 75, 70, 75, 95, 110, 120, 130}},
	{"Oolong", 26, 24, [12]int{100, 100, 105, 110, 100, 90, 85, 85, 100, 110, 110, 115}},
	{"Iced tea", 14, 38, [12]int{25, 30, 50, 85, 130, 190, 220, 205, 130, 70, 35, 25}},
	{"Teapot", 94, 5, [12]int{80, 80, 85, 90, 95, 90, 80, 85, 95, 105, 140, 220}},
}

// byRegion is how a region sells at the start of the year and at its end, in
// percent.
var byRegion = map[string][2]int{"North": {105, 112}, "East": {85, 118}, "South": {120, 116}, "West": {78, 84}}

// sales has ten lines a week: some products of some stores.
func sales() ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Write([]string{"date", "region", "store", "product", "units", "price", "amount"})
	random := rand.NewPCG(2025, 1)
	pick := func(n int) int { return int(random.Uint64() % uint64(n)) } // the sequence of a PCG is fixed, that of rand.IntN is not
	for week := range 52 {
		first := time.Date(2025, 1, 1+7*week, 0, 0, 0, 0, time.UTC)
		for line := range 10 {
			day := first.AddDate(0, 0, (line*7/10)%7)
			s := stores[(week*10+line*7+pick(3))%len(stores)]
			p := products[(week+line)%len(products)]
			region := byRegion[s.Region]
			percent := region[0] + (region[1]-region[0])*week/51
			units := max(p.units*p.byMonth[day.Month()-1]*percent*(80+pick(41))/1_000_000, 1)
			w.Write([]string{
				day.Format(time.DateOnly), s.Region, s.Store, p.name,
				strconv.Itoa(units), quarters(p.quarter), quarters(p.quarter * units),
			})
		}
	}
	w.Flush()
	return out.Bytes(), w.Error()
}

// quarters writes n/4 with two decimals.
func quarters(n int) string { return fmt.Sprintf("%d.%02d", n/4, n%4*25) }

func storeLines() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	for _, s := range stores {
		if err := e.Encode(s); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// targets is a workbook as a manager sends it.
func targets() ([]byte, error) {
	f := excelize.NewFile()
	defer f.Close()
	const sheet = "2025"
	if err := f.SetSheetName("Sheet1", sheet); err != nil {
		return nil, err
	}
	rows := [][]any{{"region", "quarter", "target"}}
	for _, region := range []string{"North", "East", "South", "West"} {
		for quarter := range 4 {
			rows = append(rows, []any{region, fmt.Sprintf("Q%d", quarter+1), 45*byRegion[region][0] + 250*quarter})
		}
	}
	for i, row := range rows {
		if err := f.SetSheetRow(sheet, fmt.Sprintf("A%d", i+1), &row); err != nil {
			return nil, err
		}
	}
	var out bytes.Buffer
	if err := f.Write(&out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
