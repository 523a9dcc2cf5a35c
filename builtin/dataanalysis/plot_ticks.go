package dataanalysis

import (
	"math"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/plot"
)

// roundStep is the least of 1, 2, 2.5 and 5 times a power of ten that is not
// below step.
func roundStep(step float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(step)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if m*power >= step*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// ticks are about n round numbers that hold low and high, and the first and the
// last of them. whole asks for whole numbers, as of years.
func ticks(low, high float64, n int, whole bool) (marks []plot.Tick, first, last float64) {
	if low == high {
		pad := max(math.Abs(low)/2, 1)
		low, high = low-pad, high+pad
	}
	step := roundStep((high - low) / float64(n))
	if whole {
		step = max(math.Ceil(step), 1)
	}
	from, to := math.Floor(low/step+1e-9), math.Ceil(high/step-1e-9)
	write := tickForm(max(math.Abs(from*step), math.Abs(to*step)), step)
	for i := from; i <= to && len(marks) < 50; i++ {
		marks = append(marks, plot.Tick{Value: i * step, Label: write(i * step)})
	}
	return marks, from * step, to * step
}

// tickForm is how the numbers of an axis are written, all alike: with the
// decimals that step needs, millions and more in short, and thousands apart if
// one has five digits (below, it may be a year).
func tickForm(largest, step float64) func(float64) string {
	if largest >= 1e15 || step < 1e-6 {
		digits := min(max(int(math.Ceil(math.Log10(largest/step)))+2, 4), 15) // two marks are two texts
		return func(v float64) string { return strconv.FormatFloat(v, 'g', digits, 64) }
	}
	size, unit := 1.0, ""
	for _, u := range []struct {
		size float64
		unit string
	}{{1e12, "T"}, {1e9, "B"}, {1e6, "M"}} {
		if largest >= u.size && step >= u.size/100 {
			size, unit = u.size, u.unit
			break
		}
	}
	decimals := 0
	for s := step / size; decimals < 6 && math.Abs(s-math.Round(s)) > 1e-6*s; decimals++ {
		s *= 10
	}
	apart := largest/size >= 10_000
	return func(v float64) string {
		text := strconv.FormatFloat(v/size, 'f', decimals, 64)
		if strings.Trim(text, "-0.") == "" {
			return "0"
		}
		if apart {
			text = thousands(text)
		}
		return text + unit
	}
}

// thousands puts a comma between thousands.
func thousands(text string) string {
	sign, rest := "", text
	if strings.HasPrefix(text, "-") {
		sign, rest = "-", text[1:]
	}
	whole, fraction, dot := strings.Cut(rest, ".")
	if len(whole) > 3 {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
	}
	if dot {
		fraction = "." + fraction
	}
	return sign + whole + fraction
}

// short writes a number for a note: as many digits as tell it.
func short(v float64) string {
	if size := math.Abs(v); size != 0 && (size >= 1e15 || size < 1e-4) {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	text := strconv.FormatFloat(v, 'f', 4, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if math.Abs(v) >= 10_000 {
		text = thousands(text)
	}
	return text
}

// calendar are the steps between ticks along time, from short to long. full is
// how a tick is written that begins a new day or year.
var calendar = []struct {
	about      time.Duration
	form, full string
	months     int
	days       int
}{
	{time.Millisecond, "15:04:05.000", "2 Jan 15:04:05.000", 0, 0},
	{10 * time.Millisecond, "15:04:05.00", "2 Jan 15:04:05.00", 0, 0},
	{50 * time.Millisecond, "15:04:05.00", "2 Jan 15:04:05.00", 0, 0},
	{200 * time.Millisecond, "15:04:05.0", "2 Jan 15:04:05.0", 0, 0},
	{time.Second, "15:04:05", "2 Jan 15:04:05", 0, 0},
	{5 * time.Second, "15:04:05", "2 Jan 15:04:05", 0, 0},
	{15 * time.Second, "15:04:05", "2 Jan 15:04:05", 0, 0},
	{time.Minute, "15:04", "2 Jan 15:04", 0, 0},
	{5 * time.Minute, "15:04", "2 Jan 15:04", 0, 0},
	{15 * time.Minute, "15:04", "2 Jan 15:04", 0, 0},
	{time.Hour, "15:04", "2 Jan 15:04", 0, 0},
	{3 * time.Hour, "15:04", "2 Jan 15:04", 0, 0},
	{6 * time.Hour, "15:04", "2 Jan 15:04", 0, 0},
	{oneDay, "2 Jan", "2 Jan 2006", 0, 1},
	{2 * oneDay, "2 Jan", "2 Jan 2006", 0, 2},
	{7 * oneDay, "2 Jan", "2 Jan 2006", 0, 7},
	{14 * oneDay, "2 Jan", "2 Jan 2006", 0, 14},
	{30 * oneDay, "Jan", "Jan 2006", 1, 0},
	{91 * oneDay, "Jan", "Jan 2006", 3, 0},
	{182 * oneDay, "Jan", "Jan 2006", 6, 0},
	{365 * oneDay, "2006", "2006", 12, 0},
	{2 * 365 * oneDay, "2006", "2006", 24, 0},
	{5 * 365 * oneDay, "2006", "2006", 60, 0},
	{10 * 365 * oneDay, "2006", "2006", 120, 0},
	{50 * 365 * oneDay, "2006", "2006", 600, 0},
	{250 * 365 * oneDay, "2006", "2006", 3000, 0},
}

const oneDay = 24 * time.Hour

// timeTicks are at most n ticks where a calendar has its borders.
func timeTicks(low, high float64, n int) []plot.Tick {
	at := 0
	for at < len(calendar)-1 && (high-low)/calendar[at].about.Seconds() > float64(n) {
		at++
	}
	step := calendar[at]
	var marks []plot.Tick
	var last time.Time
	for t := border(low, step.about, step.months, step.days); len(marks) < 50; {
		seconds := float64(t.UnixMilli()) / 1000
		if seconds > high {
			break
		}
		if seconds >= low {
			form := step.form
			if last.Year() != t.Year() || step.about < oneDay && last.YearDay() != t.YearDay() {
				form = step.full
			}
			marks, last = append(marks, plot.Tick{Value: seconds, Label: t.Format(form)}), t
		}
		switch {
		case step.months > 0:
			t = t.AddDate(0, step.months, 0)
		case step.days > 0:
			t = t.AddDate(0, 0, step.days)
		default:
			t = t.Add(step.about)
		}
	}
	return marks
}

// border is where the step in which low lies begins.
func border(low float64, about time.Duration, months, days int) time.Time {
	t := time.UnixMilli(int64(math.Floor(low * 1000))).UTC()
	switch {
	case months >= 12:
		years := months / 12
		return time.Date(t.Year()-t.Year()%years, 1, 1, 0, 0, 0, 0, time.UTC)
	case months > 0:
		m := int(t.Month()) - 1
		return time.Date(t.Year(), time.Month(m-m%months+1), 1, 0, 0, 0, 0, time.UTC)
	case days >= 7:
		back := (int(t.Weekday()) + 6) % 7 // to Monday
		return time.Date(t.Year(), t.Month(), t.Day()-back, 0, 0, 0, 0, time.UTC)
	case days > 0:
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	}
	return t.Truncate(about)
}

// apart leaves out marks until those that stay do not run into each other, each as
// wide as width says: every second, every third and so on.
func apart(marks []plot.Tick, width func(label string) float64) []plot.Tick {
	for every := 1; every < len(marks); every++ {
		var kept []plot.Tick
		clear := true
		for i := 0; i < len(marks); i += every {
			if n := len(kept); n > 0 {
				room := (width(kept[n-1].Label) + width(marks[i].Label)) / 2
				clear = clear && marks[i].Value-kept[n-1].Value > room
			}
			kept = append(kept, marks[i])
		}
		if clear {
			return kept
		}
	}
	return marks[:min(len(marks), 1)]
}
