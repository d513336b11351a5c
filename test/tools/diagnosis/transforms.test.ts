import t from 'tap'
import { said } from '../../../tools/diagnosis/transform.js'
import { absent } from '../../../tools/diagnosis/transforms/absent.js'
import { encoding } from '../../../tools/diagnosis/transforms/encoding.js'
import { number } from '../../../tools/diagnosis/transforms/number.js'
import { text } from '../../../tools/diagnosis/transforms/text.js'
import { time } from '../../../tools/diagnosis/transforms/time.js'
import { token } from '../../../tools/diagnosis/transforms/token.js'

// The texts that each row makes of one text, by the cost of the mistake. Of many texts, some stand for all.
const cases: Array<[row: string, sent: string, texts: string[], count?: number]> = [
  // absent
  ['absent absent 3', 'null', [
    '', 'undefined', 'None', 'NULL', 'nil', 'NaN', 'false', 'nan', 'Null', '<nil>', '%!s(<nil>)'
  ]],
  ['absent absent 3', 'x', []],
  ['absent absent 4', 'x', ['']],
  ['absent absent 6', '', ['0', '0.00', '0.0', '""', 'none']],
  ['absent absent 6', 'x', [
    '', 'null', 'undefined', 'None', 'NULL', 'nil', 'NaN', 'false', 'nan', 'Null', '<nil>', '%!s(<nil>)'
  ]],
  ['absent absent 7', 'x', ['0', '0.00', '00000000-0000-0000-0000-000000000000']],
  // encoding
  ['encoding normalization 4', '\u00e9', ['e\u0301']],
  ['encoding normalization 4', '\ufb01', ['fi']],
  ['encoding encoding 5', '\u00e9\u20ac', [
    '\u00c3\u00a9\u00e2\u0082\u00ac', '\u00c3\u00a9\u00e2\u201a\u00ac', '\u0623\u00a9\u00e2\u201a\u00ac', '\ufffd'
  ], 5],
  ['encoding encoding 7', 'L\u2019\u00c9', ['L\udc92\udcc9']],
  ['encoding typography 5', 'L\u2019\u00c9', ['L\'\u00c9']],
  ['encoding typography 5', 'a\'b', ['a\u2019b', 'a\u2018b', 'a\u02bcb']],
  ['encoding byte-escapes 6', '\u00e9', [
    '\\xc3\\xa9', '\\xC3\\xA9', '\\303\\251', '<c3><a9>', 'b\'\\xc3\\xa9\'', 'b\'\\xC3\\xA9\'', 'b\'\\303\\251\'', 'b\'<c3><a9>\''
  ]],
  ['encoding byte-escapes 6', '\\xc3\\xa9', ['b\'\\xc3\\xa9\'', '\u00e9']],
  ['encoding encoding 5', '\u00c3\u00a9', [
    '\u00c3\u0083\u00c2\u00a9', '\u00c3\u0192\u00c2\u00a9', '\u0623\u0192\u0622\u00a9', '\u00e9'
  ], 5],
  ['encoding encoding 5', 'ascii', []],
  ['encoding encoding 5', '\u4e2d\u00e9', [
    '\u00e4\u00b8\u00ad\u00c3\u00a9', '\u0646\u00b8\u00ad\u0623\u00a9'
  ], 3],
  ['encoding lost-characters 6', 'n\u00e9\u{1f600}x', [
    'n??x', 'n\u00e9?x', 'nx', 'n\u00e9x', 'n\ufffd\ufffdx', 'n\u00e9\ufffdx', 'n\ufffd\ufffd\ufffd\ufffdx',
    'n\u00e9\ufffd\ufffdx', 'n__x', 'n\u00e9_x', 'n\u00e9', 'ne\u{1f600}x'
  ]],
  ['encoding percent-encoding 5', 'it\'s %C3%A9', ['it\'s \u00e9', 'it\'s%20%25C3%25A9', 'it%27s%20%25C3%25A9']],
  ['encoding percent-encoding 5', '\u00e9/(', ['%C3%A9%2F(', '%C3%A9/(', '%E9/%28', '%C3%A9%2F%28', '%c3%a9%2f(']],
  ['encoding plus 5', 'a b+c', ['a+b+c', 'a b c', 'a+b%2Bc', 'a+b%2bc']],
  ['encoding plus 5', 'ab', []],
  ['encoding html 5', '<a&"b\'/\u00e9>', [
    '&lt;a&amp;&quot;b\'/\u00e9&gt;', '&lt;a&amp;&quot;b&#39;/\u00e9&gt;', '&lt;a&amp;&quot;b&#039;/\u00e9&gt;',
    '&lt;a&amp;&quot;b&#x27;/\u00e9&gt;', '&lt;a&amp;&quot;b&apos;/\u00e9&gt;', '&lt;a&amp;&quot;b\'&#x2F;\u00e9&gt;',
    '&lt;a&amp;&quot;b\'/&#233;&gt;'
  ]],
  ['encoding html 5', '&lt;&#39;&amp;&quot;', ['&amp;lt;&amp;#39;&amp;amp;&amp;quot;', '<\'&"']],
  ['encoding json 5', 'a/"\u00e9<\'', [
    'a/\\"\u00e9<\'', '"a/\\"\u00e9<\'"', 'a/\\"\\u00e9<\'', 'a/\\"\u00e9\\u003c\'', 'a/\\u0022\u00e9\\u003C\\u0027',
    'a/\\u0022\\u00e9\\u003C\\u0027', 'a\\/\\"\u00e9<\'', '"a\\/\\"\u00e9<\'"', 'a\\/\\"\\u00e9<\'',
    'a\\/\\"\u00e9\\u003c\'', 'a\\/\\u0022\u00e9\\u003C\\u0027', 'a\\/\\u0022\\u00e9\\u003C\\u0027'
  ]],
  ['encoding json 5', 'a\\u00e9', ['a\\\\u00e9', '"a\\\\u00e9"', 'a\u00e9']],
  ['encoding escaped 6', 'a\'"\\b', ['a\\\'\\"\\\\b', 'a\'"b', 'a\'\'"\\b', 'a\'""\\b']],
  ['encoding escaped 6', 'it\'\'s', ['it\\\'\\\'s', 'it\'\'\'\'s', 'it\'s']],
  ['encoding base64 5', 'a\u00e9?~\u00ff', ['YcOpP37Dvw==', 'YcOpP37Dvw']],
  ['encoding base64 5', 'YcOp', ['a\u00e9', 'a\u00c3\u00a9', 'a\udcc3\udca9', 'WWNPcA==', 'WWNPcA']],
  ['encoding base64 5', 'whsec_YcOp', ['a\u00e9', 'a\u00c3\u00a9', 'a\udcc3\udca9', 'd2hzZWNfWWNPcA==', 'd2hzZWNfWWNPcA'], 8],
  ['encoding base64 5', '123e4567-e89b-12d3-a456-426614174000', [
    'MTIzZTQ1NjctZTg5Yi0xMmQzLWE0NTYtNDI2NjE0MTc0MDAw', 'Ej5FZ+ibEtOkVkJmFBdAAA==', 'Ej5FZ+ibEtOkVkJmFBdAAA',
    'Ej5FZ-ibEtOkVkJmFBdAAA'
  ], 7],
  ['encoding hex 6', 'a\u00e9', ['61c3a9', '61C3A9']],
  ['encoding hex 6', '61c3a9', ['363163336139', 'a\u00c3\u00a9', 'a\u00e9', 'a\udcc3\udca9']],
  // number
  ['number decimals 3', '1234.567', ['1234.57', '1235', '1234.6', '1234.5670', '1234', '1234.5', '1234.56']],
  ['number decimals 7', '12.345', [
    '12.34500', '12.345000', '12.3450000', '12.34500000', '12.345000000', '12.3450000000', '12.34500000000',
    '12.345000000000', '12.3450000000000', '12.34500000000000', '12.345000000000000', '12.3450000000000000',
    '12.34500000000000000', '13', '12.40', '12.35'
  ]],
  ['number decimals 5', '1234.567', [
    '1235', '1235.0', '1235.00', '1235.000', '1234', '1234.0', '1234.00', '1234.000', '1234.6', '1234.60', '1234.600', '1234.5', '1234.50', '1234.500',
    '1234.57', '1234.570', '1234.56', '1234.560'
  ]],
  ['number as-number 3', '0100', ['100', '100.0']],
  ['number as-number 3', '12.50', ['12.5']],
  ['number separators 2', '1,234.50', ['1234.50']],
  ['number separators 3', '1234567.5', [
    '1234567,5', '1234567:5', '1,234,567.5', '1.234.567,5', '1\u00a0234\u00a0567,5', '1\'234\'567.5', '1_234_567.5',
    '12,34,567,5'
  ], 25],
  ['number currency 2', 'EGP 12.50', ['12.50']],
  ['number currency 2', '12.50\u20ac', ['12.50']],
  ['number currency 6', '12.50', [
    '12.50EGP', 'EUR12.50', '12.50 SAR', 'KWD 12.50', '12.50OMR', '$12.50', '12.50 \u00a3', '\u062c.\u0645 12.50'
  ], 64],
  ['number currency 8', '1234.5', [
    'EGP\u00a01,234.50', 'KWD\u00a01,234.500', '\u200f\u0661\u066c\u0662\u0663\u0664\u066b\u0665\u0660\u00a0EUR',
    '\u200f1,234.50\u00a0\u062c.\u0645.\u200f', '\u200f1,234.50\u00a0SAR', '1.234,50\u00a0USD',
    '1\u202f234,50\u00a0EGP', '1\u202f234,500\u00a0KWD'
  ], 48],
  ['number minor-units 5', '12.345', [
    '1234', '1234.5', '1235', '1234.50', '12345', '12345.00', '0', '0.12345', '0.12'
  ]],
  ['number unit 3', '1709912345678', [
    '1709912345', '1709912345.678', '1709912346', '1709912345.68', '1709912345678000', '1709912345678000.00',
    '1709912345678000000', '1709912345678000000.00', '1709912', '1709912.345678', '1709912.35', '1709912345000',
    '1709912345.678000', '1709912346000', '1709912345.68000'
  ]],
  ['number unit 5', '1709912345', [
    '1709912345000', '1709912345143', '1709912345285', '1709912345428', '1709912345571', '1709912345714',
    '1709912345856', '1709912345999'
  ], 1000],
  ['number unit 5', '170991234', []],
  ['number unit 9', '1709912345678', [
    '1709912345678000', '1709912345678143', '1709912345678285', '1709912345678428', '1709912345678571',
    '1709912345678714', '1709912345678856', '1709912345678999'
  ], 1000],
  ['number digits 2', '\u0661\u0662\u066b\u0665', ['12.5']],
  ['number digits 2', '\u06f1\uff12\u0969\u066c', ['123,']],
  ['number digits 5', '1234.5', [
    '\u0661\u0662\u0663\u0664.\u0665', '\u06f1\u06f2\u06f3\u06f4.\u06f5', '\uff11\uff12\uff13\uff14.\uff15',
    '\u0967\u0968\u0969\u096a.\u096b', '\u0661\u0662\u0663\u0664\u066b\u0665', '\u0661,\u0662\u0663\u0664.\u0665',
    '\u06f1,\u06f2\u06f3\u06f4.\u06f5', '\uff11,\uff12\uff13\uff14.\uff15', '\u0967,\u0968\u0969\u096a.\u096b',
    '\u0661\u066c\u0662\u0663\u0664\u066b\u0665'
  ]],
  ['number sign 2', '+12.50', ['12.50']],
  ['number sign 5', '12.50', ['-12.50', '+12.50', '12.50-', '(12.50)']],
  ['number number-format 5', '1234.50', [
    '1.2345e+3', '1.2345e+03', '1.2345e+003', '1.2345e3', '1.2345e03', '1.2345e003', '1.2345E+3', '1.2345E+03',
    '1.2345E+003', '1.2345E3', '1.2345E03', '1.2345E003'
  ]],
  ['number number-format 5', '0.05', ['5e-2', '5e-02', '5e-002', '5E-2', '5E-02', '5E-002']],
  ['number floating-point 6', '0.30', [
    '0.29999999999999993', '0.30000000000000004', '0.2999999999999999', '0.3000000000000001', '0.2999999999999998',
    '0.30000000000000016', '0.29999999999999977', '0.3000000000000002', '0.30000001192092896', '30', '0.003',
    '0.299999999999999988897769753748434595763683319091796875'
  ]],
  ['number floating-point 7', '16777217', [
    '16777200', '1.67772e+7', '1.677722E+07', '1.6777217e007', '1.7e+7', '1.68e+7'
  ], 62],
  ['number integer 7', '017', ['15', '17', '11', 'h', '21', '10001', 'H', '0x11']],
  ['number integer 7', '4294967297', [
    '1', '100000001', '1z141z5', '40000000001', '100000000000000000000000000000001', '1Z141Z5', '0x100000001'
  ]],
  // text
  ['text case 3', 'aB', ['ab', 'AB']],
  ['text newline 2', 'a\r\n', ['a']],
  ['text newline 3', 'a', ['a\n', 'a\r\n', 'a\r', 'a\n\n']],
  ['text newline 8', 'a', ['\na', '\r\na']],
  ['text byte-order-mark 2', '\ufeffa', ['a']],
  ['text byte-order-mark 5', 'a', ['\ufeffa']],
  ['text white-space 2', ' a ', ['a', 'a ', ' a']],
  ['text white-space 3', 'a b', ['ab', 'a b ', ' a b']],
  ['text white-space 5', 'a  b', [
    'a  b\t', '\ta  b', 'a  b\u00a0', '\u00a0a  b', 'a  b\u200b', '\u200ba  b', 'a  b  ', '  a  b', ' a  b ', 'a b'
  ]],
  ['text marks 2', '\u200ea\u00ad', ['a']],
  ['text marks 7', 'a', [
    'a\u200e', 'a\u202b', '\u2066a', '\u200ca', '\u061ca\u202c', '\u202da\u202c', '\u2068a\u2069', '\u00ada\u2069'
  ], 60],
  ['text marks 9', 'ab', [
    '\u200eab', '\u061cab', '\u202bab', '\u202dab', 'a\u2066b', 'a\u2068b', 'a\u200cb', 'a\u00adb'
  ], 30],
  ['text marks 9', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', []],
  ['text quotes 4', '"a"', [
    '""a""', '\'"a"\'', '`"a"`', '\u201c"a"\u201d', '\u2018"a"\u2019', '\u00ab"a"\u00bb', '\'"a"', 'a'
  ]],
  ['text wrapped 4', '(a)', ['((a))', '[(a)]', '{(a)}', '<(a)>', 'np.float64((a))', 'Decimal(\'(a)\')', 'a']],
  ['text wrapped 7', 'urn:uuid:a', [
    '[object Object]', 'Optional[urn:uuid:a]', 'Some[\'urn:uuid:a\']', 'UUID[\'urn:uuid:a\']', 'Date[\'urn:uuid:a\']',
    'String[\'urn:uuid:a\']', '/Date(urn:uuid:a)/', 'a'
  ], 69],
  ['text affix 8', 'a', ['a!', 'a,', '[a', '\\na', 'aE', 'aP', '0a', 'ad'], 158],
  ['text affix 9', 'a', ['ax', 'ya'], 51],
  ['text affix token 8', 'a', ['a!', 'a\'', ',a', '<a', 'a\\', 'a|', '/-a', '***a'], 82],
  ['text affix token 9', 'a', ['Xa', 'ax', 'a0'], 123],
  ['text lost-character 5', 'abc', ['bc', 'ab']],
  ['text cut-off 5', '0123456789abcdefghij', [
    '0123', '012345', '01234567', '0123456789', '0123456789ab', '0123456789abcdef'
  ]],
  ['text cut-off 8', 'ab-12.c345', [
    'a', '5', 'ab', '45', 'ab-', '345', 'ab-1', 'c345', 'ab-12', '.c345', 'ab-12.', '2.c345', 'ab-12.c', '12.c345',
    'ab-12.c3', '-12.c345', 'ab-12.c34', 'b-12.c345', '****c345', '******c345', '12345'
  ]],
  ['text padded 7', '1234567', [
    '1234567 ', '1234567    ', '1234567        ', '1234567             ', '                 1234567',
    '                         1234567', '                                 1234567',
    '                                                         1234567'
  ], 28],
  ['text leading-zeros 2', '.5', ['0.5']],
  ['text leading-zeros 3', '0012', ['12']],
  ['text leading-zeros 3', '00.5', ['.5', '0.5']],
  ['text leading-zeros 4', '12', [
    '000012', '00000012', '000000012', '0000000012', '000000000012', '0000000000000012', '00000000000000000012', '012'
  ]],
  ['text leading-zeros 4', 'a', []],
  ['text leading-zeros 7', '12', [
    '012', '00012', '00000012', '0000000012', '0000000000012', '000000000000012', '000000000000000012',
    '00000000000000000012'
  ], 18],
  ['text dashes 5', 'a-b c', ['ab c', 'a.b c', 'a:b c', 'a\u2013b c', 'a-b_c', 'a-b:c', 'a-b\u00a0c', 'a_b_c'], 19],
  ['text dashes 5', '123e4567e89b12d3a456426614174000', ['123e4567-e89b-12d3-a456-426614174000']],
  // time
  ['time iso 4', '1709912345678', [
    '2024-03-08T15:39:05.678Z', '2024-03-08T15:39:05Z', 'Fri, 08 Mar 2024 15:39:05 GMT',
    '2024-03-08T15:39:05.678+00:00', '2024-03-08T15:39:05+00:00', '2024-03-08T15:39:05+0000', '2024-03-08T15:39:05.678',
    '2024-03-08T15:39:05', '2024-03-08 15:39:05', '2024-03-08 15:39:05.678', '2024-03-08 15:39:05.678000',
    '2024-03-08 15:39:05+00:00', '20240308153905', '08/03/2024 15:39:05', 'Fri, 08 Mar 2024 15:39:05 +0000'
  ]],
  ['time iso 4', '2024-03-08T15:39:05.678Z', ['1709912345678'], 15],
  ['time iso 4', '08/03/2024', []],
  ['time iso 7', '1709912345678', [
    '2024-03-08T15:39:05.678000Z', '2024-03-08 15:39:05.678000+00:00', '2024-03-08 15:39:05.678 +0000 UTC', '20240308',
    '03/08/2024 15:39:05', '2024/03/08 15:39:05', 'Fri Mar 08 15:39:05 UTC 2024', '15:39:05'
  ], 25],
  ['time time-zone 7', '1709912345678', [
    '1709861945678', '1709876345678', '1709890745678', '1709905145678', '1709919545678', '1709933945678',
    '1709948345678', '1709962745678'
  ], 112],
  ['time local-date 7', '1709912345678', [
    '2024-03-08T01:39:05.678-14:00', '2024-03-08 06:09:05', '2024-03-08T11:39:05', '2024-03-08T16:39:05.678',
    '2024-03-08T20:39:05+0500', '2024-03-08T23:39:05+08:00', '2024-03-09T02:39:05.678+11:00', '2024-03-09 05:39:05'
  ], 246],
  ['time local-date 9', '1709912345678', [
    '2024-03-08T01:39:05.678-14:00', 'Mar 8, 2024 5:24:05 AM', '3/8/2024 9:24:05 AM', '2024/03/08 13:24:05',
    '08.03.2024 17:39:05', '240308213905', '2024-03-09 01:39:05 UTC',
    'Sat Mar 09 2024 05:39:05 GMT+1400 (Coordinated Universal Time)'
  ], 3797],
  ['time fraction 7', '1709912345678', [
    '1709912345678.0', '1709912345678.06', '1709912345678.21', '1709912345678.37', '1709912345678.52',
    '1709912345678.68', '1709912345678.83', '1709912345678.99'
  ], 110],
  ['time fraction 9', '1709912345678', [
    '1709912345678.000', '1709912345678.0571', '1709912345678.2143', '1709912345678.3714', '1709912345678.5285',
    '1709912345678.6856', '1709912345678.8428', '1709912345678.9999'
  ], 11000],
  ['time epoch 7', '1709912345678', [
    '63845509145678', '13354385945678', '3918901145678', '3792757145678', '1393947545.678', '763227545.678',
    '731605145.678', '0.67800000 1709912345'
  ], 30],
  ['time directive 5', '1709912345678', [
    '1709912345%3N', '17099123453N', '1709912345N', '1709912345%N', '1709912345%f'
  ]],
  ['time taken-twice 5', '1709912345678', [
    '1709912345679', '1709912345674', '1709912345686', '1709912345667', '1709912345693', '1709912345660',
    '1709912345700', '1709912345653'
  ], 50],
  // token
  ['token development 4', 't', ['development-only-token']],
  ['token missing 4', 't', [
    '', 'undefined', 'null', 'None', 'your-merchant-token', '{{ .Values.merchantToken }}', '{{ .Values.token }}',
    '[object Promise]', '[object Object]', 'changeme', 'secret', 'test', '***', '********', '[REDACTED]'
  ]],
  ['token in-json 5', 't', [
    '{"MERCHANT_TOKEN":"t"}', '{"MERCHANT_TOKEN": "t"}', '{"merchantToken":"t"}', '{"merchantToken": "t"}',
    '{"merchant_token":"t"}', '{"merchant_token": "t"}', '{"token":"t"}', '{"token": "t"}', '{"value":"t"}',
    '{"value": "t"}', '{"password":"t"}', '{"password": "t"}'
  ]],
  ['token utf-16 5', 't', [
    't\u0000', '\u00ff\u00fet\u0000\n\u0000', '\ufffd\ufffdt\u0000\n\u0000', '\udcff\udcfet\u0000', '\u0000t\u0000\n',
    '\u00fe\u00ff\u0000t', '\ufeff\u0000t', '\udcff\udcfe\u0000t\u0000\n'
  ], 24],
  ['token cut-by-configuration 4', 'a=b$C d\\e #f', ['a=b$C d\\e', 'a=b', 'a=b$C de #f', 'b$C d\\e #f', 'a']],
  ['token expanded 4', '$2y$10$Kz', ['', 'y0', '$2y$10', 'y0z', '$$2y$$10$$Kz', '\\$2y\\$10\\$Kz']],
  ['token prefix 5', 'sk_live_ab', ['live_ab', 'ab']],
  ['token with-its-name 5', 't', [
    'MERCHANT_TOKEN=t', 'MERCHANT_TOKEN = t', 'merchantToken:t', 'TOKEN: t', 'TOKEN = t', 'token:t', 'Basic t',
    'MERCHANT_TOKEN="t"'
  ], 21],
  ['token hashed 5', 't', [
    'e3b98a4da31a127d4bde6e43033f66ba274cab0eb7eb1c70ec41402bf6273dd8',
    'E3B98A4DA31A127D4BDE6E43033F66BA274CAB0EB7EB1C70EC41402BF6273DD8', '47mKTaMaEn1L3m5DAz9muidMqw636xxw7EFAK/YnPdg=',
    'ZTNiOThhNGRhMzFhMTI3ZDRiZGU2ZTQzMDMzZjY2YmEyNzRjYWIwZWI3ZWIxYzcwZWM0MTQwMmJmNjI3M2RkOA==',
    'e358efa489f58062f10dd7316b65649e', 'E358EFA489F58062F10DD7316B65649E', '41jvpIn1gGLxDdcxa2Vkng==',
    'ZTM1OGVmYTQ4OWY1ODA2MmYxMGRkNzMxNmI2NTY0OWU=', '8efd86fb78a56a5145ed7739dcb00c78581c5375',
    '8EFD86FB78A56A5145ED7739DCB00C78581C5375', 'jv2G+3ilalFF7Xc53LAMeFgcU3U=',
    'OGVmZDg2ZmI3OGE1NmE1MTQ1ZWQ3NzM5ZGNiMDBjNzg1ODFjNTM3NQ==',
    '99f97d455d5d62b24f3a942a1abc3fa8863fc0ce2037f52f09bd785b22b800d4f2e7b2b614cb600ffc2a4fe24679845b24886d69bb776fcfa46e54d188889c6f',
    '99F97D455D5D62B24F3A942A1ABC3FA8863FC0CE2037F52F09BD785B22B800D4F2E7B2B614CB600FFC2A4FE24679845B24886D69BB776FCFA46E54D188889C6F',
    'mfl9RV1dYrJPOpQqGrw/qIY/wM4gN/UvCb14WyK4ANTy57K2FMtgD/wqT+JGeYRbJIhtabt3b8+kblTRiIicbw==',
    'OTlmOTdkNDU1ZDVkNjJiMjRmM2E5NDJhMWFiYzNmYTg4NjNmYzBjZTIwMzdmNTJmMDliZDc4NWIyMmI4MDBkNGYyZTdiMmI2MTRjYjYwMGZmYzJhNGZlMjQ2Nzk4NDViMjQ4ODZkNjliYjc3NmZjZmE0NmU1NGQxODg4ODljNmY='
  ]]
]

const tables = { absent, encoding, number, text, time, token }

/** Rows of all tables by table, name and cost. Two rows of one name differ by their kinds. */
const rows = new Map(Object.entries(tables).flatMap(([table, transforms]) =>
  transforms.flatMap(([name, , , texts, kinds], index) => Object.entries(texts).map(([cost, write]) => {
    const isSecond = transforms.slice(0, index).some(other => other[0] === name && cost in other[3])
    return [`${table} ${name}${isSecond ? ` ${kinds?.[0]}` : ''} ${cost}`, write] as [string, typeof write]
  }))))

for (const [row, sent, texts, count = texts.length] of cases) {
  t.test(`${row}: ${JSON.stringify(sent).slice(0, 40)}`, async t => {
    const made = [...new Set(rows.get(row)?.(sent))].filter(text => text !== sent)
    t.equal(made.length, count)
    t.strictSame(made.filter(text => texts.includes(text)), texts)
  })
}

t.test('each row has a case', async t => {
  const tested = new Set(cases.map(([row]) => row))
  t.strictSame([...rows.keys()].filter(row => !tested.has(row)), [])
})

t.test('each row says what happened and how to mend it', async t => {
  for (const [name, says, fix] of Object.values(tables).flat()) {
    for (const sentence of [says, fix]) t.match(said(sentence, 'signed', 'sent', 'token'), /^\S+ \S+ .*\S$/s, name)
  }
})
