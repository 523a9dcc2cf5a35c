package sim

import (
	"regexp"
	"strings"
	"unicode"
)

// fillers are words that say nothing about which tool is meant.
var fillers = setOf(`a an the is are was were be been am do does did have has had can could would will shall should may might must
	i me my we us our you your it its he she they them this that these those there here
	what which who whom whose when where why how
	of in on at to for from with by about into onto as per via than then so if or and but not no yes also both all any some each every
	please just now today tomorrow tonight yesterday right currently current ok okay hi hello hey thanks thank
	tell give show let want need like know use using used run call get set make made take return returns returned value values given result results
	tool function name named called new one two other more most up out over under e.g i.e etc etc. such example examples string text number
	more information info following using via until only first last`)

var chineseFillers = []string{
	"请问", "请", "帮我", "帮忙", "麻烦", "给我", "告诉我", "我想知道", "我想", "我要", "我们", "我", "你", "能不能", "可以", "一下", "看看", "查一查", "查一下", "查查", "查询", "查",
	"现在", "今天", "明天", "今日", "目前", "当前", "的", "是", "在", "有", "什么", "多少", "怎么样", "怎样", "如何", "吗", "呢", "吧", "啊", "和", "以及", "还有", "并且", "然后", "把", "用",
}

// concepts bring words of one meaning together, in English and in Chinese. On
// the left is a meaning, on the right what people say for it.
var concepts = conceptsOf(map[string]string{
	"calculate": "calculate calculation calculator compute evaluate arithmetic math mathematical 计算 算 等于",
	"time":      "clock hour 时间 几点",
	"date":      "日期 几号",
	"weather":   "forecast temperature sunny rain 天气 气温 温度 预报",
	"web":       "fetch download browse webpage website page http url site internet 网页 网站 网址 抓取 下载",
	"email":     "mail e-mail 邮件",
	"directory": "folder dir 目录 文件夹",
	"file":      "文件",
	"read":      "print cat display open content 读取 读 打开 内容",
	"list":      "列出 列表",
	"search":    "lookup look find google seek retrieve 搜索 搜 查找 找",
	"query":     "查询",
	"database":  "table db 数据库",
	"translate": "translation 翻译",
	"convert":   "conversion exchange 转换 换算 兑换",
	"currency":  "汇率 货币",
	"send":      "发送 发",
	"remind":    "reminder 提醒",
	"note":      "笔记",
	"order":     "订单",
	"user":      "用户",
	"stock":     "股票 股价",
	"price":     "价格",
	"news":      "新闻",
	"image":     "picture 图片",
	"flight":    "航班",
	"hotel":     "酒店",
	"book":      "预订",
})

// conceptsOf turns meanings to words into the stem of a word to the stem of its
// meaning.
func conceptsOf(meanings map[string]string) map[string]string {
	m := map[string]string{}
	for meaning, words := range meanings {
		for _, word := range strings.Fields(words) {
			m[stemOf(word)] = stemOf(meaning)
		}
	}
	return m
}

var (
	latinWord   = regexp.MustCompile(`[\p{L}\p{M}][\p{L}\p{M}\d'’-]*`)
	plural      = regexp.MustCompile(`.{2}[^s]s$`)
	camelBorder = regexp.MustCompile(`([\p{Ll}\d])(\p{Lu})`)
)

// meanings is the set of what the words of s mean, without fillers. Chinese has
// no spaces: of it the known words are taken, and every two characters that stand
// together.
func meanings(s string) map[string]bool {
	set := map[string]bool{}
	for _, word := range latinWord.FindAllString(s, -1) {
		if strings.ContainsFunc(word, isHan) {
			chineseMeanings(word, set)
			continue
		}
		word = strings.TrimRight(strings.ToLower(word), "-'’")
		if fillers[word] {
			continue
		}
		for _, part := range strings.Split(word, "-") {
			set[meaning(part)] = true
		}
		set[meaning(word)] = true
	}
	delete(set, "")
	return set
}

func chineseMeanings(s string, set map[string]bool) {
	var run []rune
	for _, r := range s {
		if isHan(r) {
			run = append(run, r)
		}
	}
	for i := range run {
		for n := 1; n <= 3 && i+n <= len(run); n++ {
			if m, ok := concepts[string(run[i:i+n])]; ok {
				set[m] = true
			}
		}
		if i+2 <= len(run) {
			if pair := string(run[i : i+2]); concepts[pair] == "" {
				set[pair] = true
			}
		}
	}
}

// meaning is the concept of one word in lower case.
func meaning(word string) string {
	stem := stemOf(word)
	if c, ok := concepts[stem]; ok {
		return c
	}
	return stem
}

// stemOf takes the endings off that English words of one meaning differ in. It is
// rough, and rough on both sides alike.
func stemOf(word string) string {
	word = strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s")
	if stem, ok := strings.CutSuffix(word, "ies"); ok && len(stem) > 2 {
		return stem + "y"
	}
	if plural.MatchString(word) {
		word = strings.TrimSuffix(strings.TrimSuffix(word, "s"), "e") // the e is lost below anyway
	}
	for _, ending := range []string{"ing", "ed", "e"} {
		if stem, ok := strings.CutSuffix(word, ending); ok && len(stem) >= 3 {
			return stem
		}
	}
	return word
}

// nameWords are the words of an identifier in lower case: sendEmail and
// send_email are send, email.
func nameWords(name string) []string {
	name = camelBorder.ReplaceAllString(name, "$1 $2")
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// trimChinese takes the words that carry no meaning off both ends.
func trimChinese(s string) string {
	for again := true; again; {
		again = false
		s = strings.Trim(s, " ，。？！、：,.?!:")
		for _, f := range chineseFillers {
			t := strings.TrimSuffix(strings.TrimPrefix(s, f), f)
			again = again || t != s
			s = t
		}
	}
	return s
}

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// containsFold reports whether s holds part, in any letter case.
func containsFold(s, part string) bool {
	return strings.Contains(strings.ToLower(s), strings.ToLower(part))
}
