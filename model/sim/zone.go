package sim

import (
	"regexp"
	"strings"
)

var zoneName = regexp.MustCompile(`(?i)(?:^|[^\w/.])((?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)/[A-Za-z][A-Za-z_+\-0-9]*(?:/[A-Za-z_]+)?|(?:UTC|GMT)\b)`)

// zones finds IANA names. Whether there is such a zone the tool will say.
func (s *scanner) zones() {
	s.matches(kindZone, zoneName, capitalized)
}

// capitalized gives a zone's name its usual letter case: asia/shanghai is
// Asia/Shanghai. A name that has capitals is left alone.
func capitalized(name string) string {
	if !strings.Contains(name, "/") {
		return strings.ToUpper(name)
	}
	if strings.ToLower(name) != name {
		return name
	}
	b := []byte(name)
	for i := range b {
		if i == 0 || b[i-1] == '/' || b[i-1] == '_' {
			b[i] &^= 0x20 // the pattern lets only ASCII through, and no digit here
		}
	}
	return string(b)
}

// places finds cities whose zone is known.
func (s *scanner) places() {
	for _, m := range cityName.FindAllStringIndex(s.prompt, -1) {
		name := s.prompt[m[0]:m[1]]
		if endsInLetter(s.prompt[:m[0]]) || isLetterByte(name[0]) && startsWithLetter(s.prompt[m[1]:]) {
			continue
		}
		s.add(finding{start: m[0], end: m[1], kind: kindPlace, value: name, zone: cities[strings.ToLower(name)]})
	}
}

// cities are names that people say for a time zone. The list is for
// demonstrations and is not a gazetteer.
var cities = map[string]string{
	"shanghai": "Asia/Shanghai", "beijing": "Asia/Shanghai", "shenzhen": "Asia/Shanghai", "guangzhou": "Asia/Shanghai", "hangzhou": "Asia/Shanghai", "chengdu": "Asia/Shanghai", "china": "Asia/Shanghai",
	"上海": "Asia/Shanghai", "北京": "Asia/Shanghai", "深圳": "Asia/Shanghai", "广州": "Asia/Shanghai", "杭州": "Asia/Shanghai", "成都": "Asia/Shanghai", "中国": "Asia/Shanghai",
	"hong kong": "Asia/Hong_Kong", "香港": "Asia/Hong_Kong", "taipei": "Asia/Taipei", "台北": "Asia/Taipei",
	"tokyo": "Asia/Tokyo", "osaka": "Asia/Tokyo", "japan": "Asia/Tokyo", "东京": "Asia/Tokyo", "大阪": "Asia/Tokyo", "日本": "Asia/Tokyo",
	"seoul": "Asia/Seoul", "首尔": "Asia/Seoul", "singapore": "Asia/Singapore", "新加坡": "Asia/Singapore",
	"bangkok": "Asia/Bangkok", "曼谷": "Asia/Bangkok", "jakarta": "Asia/Jakarta", "manila": "Asia/Manila", "hanoi": "Asia/Ho_Chi_Minh",
	"delhi": "Asia/Kolkata", "new delhi": "Asia/Kolkata", "mumbai": "Asia/Kolkata", "bangalore": "Asia/Kolkata", "india": "Asia/Kolkata", "孟买": "Asia/Kolkata", "新德里": "Asia/Kolkata",
	"karachi": "Asia/Karachi", "dubai": "Asia/Dubai", "迪拜": "Asia/Dubai", "tehran": "Asia/Tehran", "tel aviv": "Asia/Jerusalem", "istanbul": "Europe/Istanbul",
	"moscow": "Europe/Moscow", "莫斯科": "Europe/Moscow", "kyiv": "Europe/Kyiv",
	"london": "Europe/London", "伦敦": "Europe/London", "dublin": "Europe/Dublin", "lisbon": "Europe/Lisbon",
	"paris": "Europe/Paris", "巴黎": "Europe/Paris", "berlin": "Europe/Berlin", "柏林": "Europe/Berlin", "munich": "Europe/Berlin",
	"madrid": "Europe/Madrid", "马德里": "Europe/Madrid", "barcelona": "Europe/Madrid", "rome": "Europe/Rome", "罗马": "Europe/Rome", "milan": "Europe/Rome",
	"vienna": "Europe/Vienna", "zurich": "Europe/Zurich", "geneva": "Europe/Zurich", "amsterdam": "Europe/Amsterdam", "brussels": "Europe/Brussels",
	"stockholm": "Europe/Stockholm", "oslo": "Europe/Oslo", "copenhagen": "Europe/Copenhagen", "helsinki": "Europe/Helsinki", "warsaw": "Europe/Warsaw", "prague": "Europe/Prague", "athens": "Europe/Athens",
	"cairo": "Africa/Cairo", "开罗": "Africa/Cairo", "lagos": "Africa/Lagos", "nairobi": "Africa/Nairobi", "johannesburg": "Africa/Johannesburg",
	"new york": "America/New_York", "纽约": "America/New_York", "boston": "America/New_York", "washington": "America/New_York", "miami": "America/New_York",
	"toronto": "America/Toronto", "多伦多": "America/Toronto", "chicago": "America/Chicago", "芝加哥": "America/Chicago", "denver": "America/Denver",
	"los angeles": "America/Los_Angeles", "洛杉矶": "America/Los_Angeles", "san francisco": "America/Los_Angeles", "旧金山": "America/Los_Angeles", "seattle": "America/Los_Angeles", "西雅图": "America/Los_Angeles",
	"vancouver": "America/Vancouver", "mexico city": "America/Mexico_City", "bogota": "America/Bogota", "lima": "America/Lima",
	"são paulo": "America/Sao_Paulo", "sao paulo": "America/Sao_Paulo", "圣保罗": "America/Sao_Paulo", "buenos aires": "America/Argentina/Buenos_Aires",
	"sydney": "Australia/Sydney", "悉尼": "Australia/Sydney", "melbourne": "Australia/Melbourne", "墨尔本": "Australia/Melbourne", "auckland": "Pacific/Auckland", "honolulu": "Pacific/Honolulu",
}

var cityName = cityPattern()

// cityPattern matches any name of [cities], the longest first.
func cityPattern() *regexp.Regexp {
	names := make([]string, 0, len(cities))
	for name := range cities {
		names = append(names, regexp.QuoteMeta(name))
	}
	re := regexp.MustCompile(`(?i)` + strings.Join(names, "|"))
	re.Longest()
	return re
}

var (
	properPlace  = regexp.MustCompile(`\b(?:in|for|at|near|of|around|to|from)\s+(\p{Lu}[\p{L}'’.-]*(?:\s+\p{Lu}[\p{L}'’.-]*)*)`)
	anyPlace     = regexp.MustCompile(`(?i)\b(?:in|for|at|near|around)\s+([a-z][a-z'’-]*(?:\s+[a-z][a-z'’-]*){0,2})`)
	chinesePlace = regexp.MustCompile(`([\p{Han}]{2,8}?)市?(?:今天|明天|后天|现在|今日)?的?(?:天气|气温|温度|时间)`)
)

// unknownPlace reads a place that is in no list from how it is spoken of.
func unknownPlace(text string) string {
	if m := properPlace.FindStringSubmatch(text); m != nil {
		return strings.TrimRight(m[1], ".")
	}
	for _, m := range anyPlace.FindAllStringSubmatch(text, -1) {
		if place := strings.Join(content(strings.Fields(m[1])), " "); place != "" {
			return place
		}
	}
	if m := chinesePlace.FindStringSubmatch(text); m != nil {
		return trimChinese(m[1])
	}
	return ""
}

// content drops the words that carry no meaning from both ends.
func content(words []string) []string {
	for len(words) > 0 && fillers[strings.ToLower(words[0])] {
		words = words[1:]
	}
	for len(words) > 0 && fillers[strings.ToLower(words[len(words)-1])] {
		words = words[:len(words)-1]
	}
	return words
}
