/** The code points of zero in scripts whose digits get into forms: Arabic-Indic, Persian, fullwidth, Devanagari. */
const zeros = [0x660, 0x6f0, 0xff10, 0x966]

/** The text with its ASCII digits in each of the other scripts, and with theirs in ASCII. */
export function inOtherDigits (text: string): string[] {
  const others = zeros.map(zero => text.replace(/[0-9]/g, digit => String.fromCodePoint(zero + Number(digit))))
  const [arabic = ''] = others
  return [...others, arabic.replaceAll(',', '٬').replace('.', '٫'), toAsciiDigits(text)]
}

/** The text with the digits of those scripts, and the Arabic separators, in ASCII. */
export function toAsciiDigits (text: string): string {
  return text.replace(/\p{Nd}/gu, digit => {
    const codePoint = digit.codePointAt(0)!
    const zero = zeros.find(zero => codePoint >= zero && codePoint < zero + 10)
    return zero === undefined ? digit : String(codePoint - zero)
  }).replaceAll('٫', '.').replaceAll('٬', ',')
}
