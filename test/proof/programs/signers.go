// Signers with mistakes, as Go programmers make them. Usage: go run signers.go requests.json
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"
)

type line struct {
	Id              string
	Request, Around map[string]any
}

// F holds the request R, the surroundings S, and the terms as the specification derives them.
type F struct {
	R, S                                                      map[string]any
	variant, op, ts, sid, amount, ref, order, token, account string
}

func fields(l line) F {
	get := func(name string) string { text, _ := l.Request[name].(string); return text }
	f := F{R: l.Request, S: l.Around, variant: l.Id[:1], op: strings.ToLower(get("operationType")), sid: get("sid")}
	f.ts = l.Request["clientTimeStamp"].(json.Number).String()
	f.amount, f.order, f.account = get("amount"), get("orderId"), get("merchantAccountNumber")
	f.token = l.Around["token"].(string)
	if f.account == "" {
		f.account = get("accountNumber")
	}
	switch {
	case f.variant == "B":
		f.ref = f.order
	case f.op == "refund":
		f.ref = get("transactionFCRN")
	case f.op == "void":
		f.amount, f.ref = "", get("transactionFCRN")
	case f.op == "inquiry":
		f.amount, f.ref, f.order = "", get("transactionId"), ""
		if strings.ToUpper(get("idType")) == "ORDER_ID" {
			f.order = f.ref
		}
	}
	return f
}

func first(f F) string { return f.ts + f.sid + f.amount + f.ref }

func orderOrNull(f F) string {
	if f.order == "" {
		return "null"
	}
	return f.order
}

func second(f F) string {
	if f.variant == "B" {
		return f.ts + f.token + f.account + f.amount + f.ref
	}
	return f.ts + orderOrNull(f) + f.token + f.account + f.amount + f.ref
}

func sha(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

func sign(f F) string { return sha(first(f)) + "///" + sha(second(f)) }

func number(text string) float64 {
	value, _ := strconv.ParseFloat(text, 64)
	return value
}

var programs = map[string]func(F) string{
	// go00 correct
	"go00": sign,
	// go01 A one purchase/refund | amount
	// The amount is a float64 formatted with %f, which writes six decimal places.
	"go01": func(f F) string {
		f.amount = fmt.Sprintf("%f", number(f.amount))
		return sign(f)
	},
	// go02 A one purchase/refund,noorder | orderIdOrNull
	// An absent order id is formatted with %v and becomes "<nil>" instead of "null".
	"go02": func(f F) string {
		f.order = fmt.Sprintf("%v", f.R["orderId"])
		return sign(f)
	},
	// go03 A one purchase/refund | clientTimeStamp
	// The time stamp is decoded from JSON as float64 and formatted with %v, so it is in scientific notation.
	"go03": func(f F) string {
		f.ts = fmt.Sprintf("%v", number(f.ts))
		return sign(f)
	},
	// go04 A one purchase/void | clientTimeStamp
	// The time stamp is UnixNano(), in nanoseconds instead of milliseconds.
	"go04": func(f F) string {
		ms, _ := strconv.ParseInt(f.ts, 10, 64)
		f.ts = strconv.FormatInt(time.UnixMilli(ms).UnixNano(), 10)
		return sign(f)
	},
	// go05 B one zero | amount
	// The amount is formatted with strconv.FormatFloat(x, 'f', -1, 64), so trailing zeros are missing.
	"go05": func(f F) string {
		f.amount = strconv.FormatFloat(number(f.amount), 'f', -1, 64)
		return sign(f)
	},
	// go06 A one refund/void,uppercaseop | operation
	// operationType is compared without converting it to lower case, so the refund or void is signed as a purchase.
	"go06": func(f F) string {
		f.amount, _ = f.R["amount"].(string)
		f.ref = ""
		return sign(f)
	},
	// go07 B one | hex case
	// The digests are formatted with %X, which writes upper-case hexadecimal.
	"go07": func(f F) string {
		return fmt.Sprintf("%X///%X", sha256.Sum256([]byte(first(f))), sha256.Sum256([]byte(second(f))))
	},
	// go08 A one inquiry,amount | amount
	// An inquiry signs the amount of the request instead of an empty text.
	"go08": func(f F) string {
		f.amount = f.R["amount"].(string)
		return sign(f)
	},
	// go09 A one purchase/refund | accountNumber
	// Part 2 lacks the account number.
	"go09": func(f F) string {
		return sha(first(f)) + "///" + sha(f.ts+orderOrNull(f)+f.token+f.amount+f.ref)
	},
	// go10 B one noorder | referenceNumber
	// An absent order id is formatted with fmt.Sprint() and becomes "<nil>" instead of an empty text.
	"go10": func(f F) string {
		f.ref = fmt.Sprint(f.R["orderId"])
		return sign(f)
	},
	// go11 A one void/inquiry,orderisnull | orderIdOrNull
	// An absent order id is the zero value of a string, an empty text, instead of "null".
	"go11": func(f F) string {
		return sha(first(f)) + "///" + sha(f.ts+f.order+f.token+f.account+f.amount+f.ref)
	},
	// go12 B one | separator
	// The terms are joined with strings.Join(terms, "|").
	"go12": func(f F) string {
		part1 := strings.Join([]string{f.ts, f.sid, f.amount, f.ref}, "|")
		return sha(part1) + "///" + sha(strings.Join([]string{f.ts, f.token, f.account, f.amount, f.ref}, "|"))
	},
	// go13 A one refund/void | referenceNumber
	// The reference is missing in part 2 and present in part 1.
	"go13": func(f F) string {
		return sha(first(f)) + "///" + sha(f.ts+orderOrNull(f)+f.token+f.account+f.amount)
	},
	// go14 A one purchase/inquiry | merchantToken
	// The environment variable of the token is not set, so os.Getenv() returns an empty token.
	"go14": func(f F) string {
		f.token = os.Getenv("MERCHANT_TOKEN_OF_NOBODY")
		return sign(f)
	},
	// go15 B one | merchantToken
	// The token comes from a file with Windows line ends and keeps "\r\n".
	"go15": func(f F) string {
		f.token += "\r\n"
		return sign(f)
	},
	// go16 A one uppersid | sid
	// The sid is converted with strings.ToLower().
	"go16": func(f F) string {
		f.sid = strings.ToLower(f.sid)
		return sign(f)
	},
	// go17 A one inquiry,byorder | orderIdOrNull
	// An inquiry by ORDER_ID uses "null" instead of transactionId as order id.
	"go17": func(f F) string {
		f.order = ""
		return sign(f)
	},
	// go18 B one | term order
	// In part 2 the account number comes before the token.
	"go18": func(f F) string {
		return sha(first(f)) + "///" + sha(f.ts+f.account+f.token+f.amount+f.ref)
	},
	// go19 A two purchase/refund,noorder | amount, orderIdOrNull
	// The amount is formatted with %f (six decimal places), and the absent order id is "<nil>" instead of "null".
	"go19": func(f F) string {
		amount := number(f.amount)
		part1 := fmt.Sprintf("%s%s%f%s", f.ts, f.sid, amount, f.ref)
		part2 := fmt.Sprintf("%s%v%s%s%f%s", f.ts, f.R["orderId"], f.token, f.account, amount, f.ref)
		return sha(part1) + "///" + sha(part2)
	},
	// go20 A two refund/void,noorder | clientTimeStamp, orderIdOrNull
	// The time stamp is in scientific notation (%v of a float64), and transactionFCRN is used as order id.
	"go20": func(f F) string {
		f.ts = fmt.Sprint(number(f.ts))
		f.order = f.R["transactionFCRN"].(string)
		return sign(f)
	},
	// go21 B two | encoding, separator
	// The digests are Base64, and the terms are joined with ":".
	"go21": func(f F) string {
		digest := func(terms ...string) string {
			sum := sha256.Sum256([]byte(strings.Join(terms, ":")))
			return base64.StdEncoding.EncodeToString(sum[:])
		}
		return digest(f.ts, f.sid, f.amount, f.ref) + "///" + digest(f.ts, f.token, f.account, f.amount, f.ref)
	},
	// go22 A two purchase/refund/void,zeros,noorder | accountNumber, orderIdOrNull
	// The account number is an int without its leading zeros, and the absent order id is an empty text instead of "null".
	"go22": func(f F) string {
		account, _ := strconv.Atoi(f.account)
		return sha(first(f)) + "///" + sha(fmt.Sprintf("%s%s%s%d%s%s", f.ts, f.order, f.token, account, f.amount, f.ref))
	},
	// go23 A two purchase/refund,zero | merchantToken, amount
	// The token is empty because its variable is not set, and the amount lacks trailing zeros.
	"go23": func(f F) string {
		f.token = os.Getenv("MERCHANT_TOKEN_OF_NOBODY")
		f.amount = strconv.FormatFloat(number(f.amount), 'f', -1, 64)
		return sign(f)
	},
	// go24 B two | merchantToken, clientTimeStamp
	// The token keeps "\r\n" of its file, and the time stamp is in microseconds.
	"go24": func(f F) string {
		f.token += "\r\n"
		f.ts += "000"
		return sign(f)
	},
	// go25 A two refund | term order, joiner
	// In both parts the reference comes before the amount, and the parts are joined with "|".
	"go25": func(f F) string {
		return sha(f.ts+f.sid+f.ref+f.amount) + "|" + sha(f.ts+orderOrNull(f)+f.token+f.account+f.ref+f.amount)
	},
	// go26 A two purchase/refund | digest, merchantToken
	// Both parts are HMAC-SHA256 of the correct texts, and the token (key and term) keeps a trailing newline.
	"go26": func(f F) string {
		f.token += "\n"
		mac := func(text string) string {
			h := hmac.New(sha256.New, []byte(f.token))
			h.Write([]byte(text))
			return hex.EncodeToString(h.Sum(nil))
		}
		return mac(first(f)) + "///" + mac(second(f))
	},
	// go27 B odd | digest
	// The text is passed to h.Sum() instead of h.Write(): hex of the text, followed by the digest of nothing.
	"go27": func(f F) string {
		digest := func(text string) string { return hex.EncodeToString(sha256.New().Sum([]byte(text))) }
		return digest(first(f)) + "///" + digest(second(f))
	},
	// go28 A odd purchase/refund | separator
	// The signer hashes fmt.Sprint() of a slice: the terms are in brackets with spaces between them.
	"go28": func(f F) string {
		part1 := []string{f.ts, f.sid, f.amount, f.ref}
		part2 := []string{f.ts, orderOrNull(f), f.token, f.account, f.amount, f.ref}
		return sha(fmt.Sprint(part1)) + "///" + sha(fmt.Sprint(part2))
	},
	// go29 A odd purchase/refund | clientTimeStamp
	// The time stamp is an int64 formatted with %s, which writes "%!s(int64=1736852000123)".
	"go29": func(f F) string {
		ms, _ := strconv.ParseInt(f.ts, 10, 64)
		format := "%s"
		f.ts = fmt.Sprintf(format, ms)
		return sign(f)
	},
	// go30 A odd purchase/refund,ampersand | orderIdOrNull
	// The order id passes through json.Marshal, which adds quotation marks and writes "&" as \u0026.
	"go30": func(f F) string {
		order, _ := json.Marshal(f.order)
		f.order = string(order)
		return sign(f)
	},
	// go31 A odd purchase/refund,order | orderIdOrNull
	// The order id is a *string formatted with %v, so the address of the variable is hashed.
	"go31": func(f F) string {
		f.order = "0xc000014250"
		return sign(f)
	},
	// go32 B odd | separator
	// The terms are joined with fmt.Sprintln(), which adds spaces and a newline.
	"go32": func(f F) string {
		part1 := fmt.Sprintln(f.ts, f.sid, f.amount, f.ref)
		return sha(part1) + "///" + sha(fmt.Sprintln(f.ts, f.token, f.account, f.amount, f.ref))
	},
	// go33 B one order | referenceNumber
	// The reference is the shop's internal number of the order instead of the order id of the request.
	"go33": func(f F) string {
		f.ref = f.S["internalId"].(string)
		return sign(f)
	},
	// go34 B two zero | digest, amount
	// Both parts are SHA-1 digests, and the amount is formatted with one decimal place.
	"go34": func(f F) string {
		f.amount = fmt.Sprintf("%.1f", number(f.amount))
		return fmt.Sprintf("%x///%x", sha1.Sum([]byte(first(f))), sha1.Sum([]byte(second(f))))
	},
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func run(name string, l line) {
	defer func() { _ = recover() }() // The program fails with this request.
	signature := programs[name](fields(l))
	fmt.Printf("{\"program\": %q, \"request\": %q, \"signature\": %q}\n", name, l.Id, signature)
}

func main() {
	var lines []line
	content, err := os.ReadFile(os.Args[1])
	check(err)
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	check(decoder.Decode(&lines))
	names := make([]string, 0, len(programs))
	for name := range programs {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		for _, l := range lines {
			run(name, l)
		}
	}
}
