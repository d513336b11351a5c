import type { Situation, Time } from './alert-exam.js'

// Situations that the alerts must tell apart. Numbers are means of requests in a minute.

type Requests = Record<string, number>

const none: Requests = {}

/** A shop that never sleeps, with some mistakes, and an office with refunds. */
const busy: Requests = { signed: 60, 'invalid unknown': 1.5, refused: 0.6, 'signed refund back-office': 1 }

/** Shops with 60 and with 24 orders a day. */
const medium: Requests = { signed: 60 / 1440, 'invalid unknown': 2 / 1440 }
const small: Requests = { signed: 24 / 1440, 'invalid unknown': 1 / 1440 }

/** A shop with a peak at noon, and nearly nothing at night. */
function shop ({ hour }: Time, peak: number): Requests {
  const share = ((1 - Math.cos(hour / 12 * Math.PI)) / 2) ** 2
  return { signed: peak * share, 'invalid unknown': peak * share / 40 }
}

/** A shop with hours of business. */
const open = ({ hour }: Time, from: number, to: number, requests: Requests = { signed: 2, 'invalid unknown': 0.1 }) =>
  hour >= from && hour < to ? requests : none

const stranger: Requests = { 'forbidden refund': 1, 'unauthenticated unknown unknown': 1, refused: 1, 'invalid unknown': 1 }

/** Adds requests. */
function sum (...all: Requests[]): Requests {
  const total: Requests = {}
  for (const [key, mean] of all.flatMap(one => Object.entries(one))) total[key] = (total[key] ?? 0) + mean
  return total
}

/** Changes the outcomes of a share of the requests. */
function turned (requests: Requests, outcomes: Record<string, string>, share = 1): Requests {
  return sum(...Object.entries(requests).map(([key, mean]) => {
    const to = outcomes[key]
    return to === undefined ? { [key]: mean } : { [key]: mean * (1 - share), [to]: mean * share }
  }))
}

/** Outcomes of all requests that are signed otherwise. */
const all = (outcome: string) => ({ signed: outcome, 'signed refund back-office': `${outcome} refund back-office` })

const isOn = ({ minute }: Time, minutes = Infinity): boolean => minute >= 0 && minute < minutes

/** Requests that change at the event, and change back after some minutes. */
const changing = (before: Requests, after: Requests, minutes = Infinity) => (time: Time): Requests =>
  isOn(time, minutes) ? after : before

/** Values of series that change at the event, and change back after some minutes. */
const changingValues = (names: string[], before: number | undefined, after: number | undefined, minutes = Infinity) =>
  (time: Time) => Object.fromEntries(names.map(name => [name, isOn(time, minutes) ? after : before]))

/** A counter of the first instance that grows each minute from the event. */
const growing = (name: string, labels = '') => ({ minute }: Time) =>
  ({ [`payment_signature_${name}_total{instance="one"${labels}}`]: Math.max(0, minute) })

const onProbe = '{job="payment-signature-probe",instance="https://sign.shop.example"}'
const success = `probe_success${onProbe}`
const certificate = `probe_ssl_earliest_cert_expiry${onProbe}`
const up = (instance: string) => `up{instance="${instance}"}`
const audit = (instance: string) => `payment_signature_audit_up{instance="${instance}"}`
const started = (instance: string) => `process_start_time_seconds{instance="${instance}"}`
const token = (instance: string, value: string) =>
  `payment_signature_token_info{instance="${instance}",key_check_value="${value}"}`
const redis = 'payment_signature_rate_limit_redis_up{instance="one"}'
const bucket = (le: string) => 'http_request_duration_seconds_bucket{instance="one",method="POST",' +
  `route="/api/generate-signature",status_code="200",le="${le}"}`
const probeFails = (minutes = Infinity) => changingValues([success], 1, 0, minutes)

/** A situation: its name, what is expected, requests and other series. */
const on = (
  name: string, expected: Omit<Situation, 'name' | 'requests' | 'series'>, requests: Situation['requests'],
  series?: Situation['series']
): Situation => ({ name, ...expected, ...requests && { requests }, ...series && { series } })

/** Strangers: nobody is woken. */
const strangers: Situation[] = [
  on('a stranger sends 4 requests a minute to a busy shop', {}, changing(busy, sum(busy, stranger))),
  on('refunds of a stranger', { span: 'day' },
    time => sum(shop(time, 2), isOn(time) ? { 'forbidden refund': 4 } : none)),
  // by chance, there is no order for two hours
  on('a stranger without a key', { span: 'day', may: ['Refused'] },
    changing(medium, sum(medium, { 'unauthenticated unknown': 4 }))),
  on('unknown orders of a stranger', { span: 'day' }, time => sum(shop(time, 2), isOn(time) ? { refused: 4 } : none)),
  // a page with an error looks the same
  on('bad bodies of a stranger', { span: 'day', may: ['Refused'] },
    time => sum(shop(time, 2), isOn(time) ? { 'invalid unknown': 4 } : none)),
  on('a stranger and a small shop', { span: 'day', may: ['Refused'] }, changing(small, sum(small, stranger))),
  on('the limit of an address refuses 30 requests a minute', {},
    changing(busy, sum(busy, { 'rate_limited unknown': 30 }))),
  on('a scan of 15 minutes', { span: 'day' },
    time => sum(shop(time, 1), isOn(time, 15) ? { 'invalid unknown': 200, 'unauthenticated unknown unknown': 100 } : none)),
  on('a stranger in a night without orders', { span: 'day' },
    time => sum(open(time, 7, 23), time.day === 0 ? none : stranger)),
  on('somebody guesses keys', {},
    changing(busy, sum(busy, { 'unauthenticated unknown unknown': 20, 'rate_limited unknown unknown': 600 }))),
  on('a stranger on a closed day', { span: 'day', probe: true, may: ['NothingSigned', 'Refused'] },
    time => sum(stranger, time.day === 0 ? none : shop(time, 1)))
]

/** Days that differ from others: nobody is woken. */
const calendar: Situation[] = [
  on('a week with a deployment each day', { span: 'week' },
    time => shop(time, 20),
    ({ minute, hour, now }) => {
      const restart = now - ((minute + 720 + 14_400 - 600) % 1440) * 60 // at 10:00
      return { [started('one')]: restart, [started('other')]: restart + 120, [up('one')]: hour === 10 ? 0 : 1 }
    }),
  on('nights without orders', { span: 'day' }, time => open(time, 8, 22)),
  on('a small shop, by chance without orders for hours', { span: 'week', may: ['Refused'] },
    () => sum(small, { 'forbidden refund': 0.003 })),
  on('a clock change: the shop opens and closes an hour later', { span: 'day' },
    time => time.minute < -480 ? open(time, 6, 20) : open(time, 7, 21)),
  on('a clock change: the shop opens and closes an hour earlier', { span: 'day' },
    time => time.minute < -480 ? open(time, 7, 21) : open(time, 6, 20)),
  on('a closed day, with the probe', { span: 'day', probe: true, may: ['NothingSigned'] },
    time => time.day === 0 ? none : open(time, 8, 22)),
  on('a closed day, without the probe', { span: 'day', known: 'nothing but the probe tells it from a broken proxy' },
    time => time.day === 0 ? none : open(time, 8, 22)),
  on('closed on Sundays', { span: 'week' },
    time => [0, -7].includes(time.day) ? { 'invalid unknown': 0.01 } : shop(time, 2)),
  on('a back office that works on five days', { span: 'week' },
    time => sum({ signed: 10, 'invalid unknown': 0.3, 'unauthenticated unknown unknown': 0.05 },
      [0, 1, -7, -6].includes(time.day) ? none : open(time, 8, 17, { 'signed refund back-office': 0.3 }))),
  // by chance, there is no order for two hours of a night
  on('Black Friday', { span: 'week', may: ['Refused'] },
    time => sum(shop(time, time.day === 0 ? 80 : 8), { refused: 0.1 })),
  on('a sale of an hour', { span: 'day' }, changing(medium, sum(medium, { signed: 8, 'invalid unknown': 0.3 }), 60)),
  on('the end of a campaign', {},
    changing({ signed: 60, 'invalid unknown': 2 }, { signed: 10, 'invalid unknown': 0.4 })),
  on('an evening with as many mistakes as orders', { span: 'day' },
    time => open(time, 8, 20).signed ? { signed: 5, 'invalid unknown': 0.4 } : { signed: 0.4, 'invalid unknown': 0.4 }),
  on('a new token arrives two minutes apart', {},
    () => busy,
    time => ({
      ...changingValues([token('one', '625429')], 1, undefined)(time),
      ...changingValues([token('one', '02672b')], undefined, 1)(time),
      [token('other', '625429')]: time.minute < 2 ? 1 : undefined,
      [token('other', '02672b')]: time.minute < 2 ? undefined : 1
    })),
  on('a deployment: both instances restart, one after the other', { probe: true },
    () => busy,
    ({ minute, now }) => ({
      [up('one')]: minute === 0 ? 0 : 1,
      [up('other')]: minute === 2 ? 0 : 1,
      [success]: minute === 1 ? 0 : 1,
      [started('one')]: minute > 0 ? now - minute * 60 : -1e6,
      [started('other')]: minute > 2 ? now - (minute - 2) * 60 : -1e6
    })),
  on('old counts, after Prometheus was away for an hour', {},
    () => busy,
    changingValues(['log_lines_lost', 'background_faults', 'shed_requests']
      .map(name => `payment_signature_${name}_total{instance="one"}`), 500, undefined, 60)),
  on('a day on which nothing happens', { span: 'day', probe: true }, () => busy),
  { name: 'a new installation without requests', probe: true }
]

/** Requests do not arrive, or the service or something behind it breaks. */
const outages: Situation[] = [
  on('the proxy of a shop with 60 orders a day is down', { probe: true, page: ['ProbeFails', 4], lasts: 140 },
    changing(medium, none), probeFails()),
  on('the same without the probe', { span: 'day', page: ['NothingSigned', 7 * 60] }, changing(medium, none)),
  on('the proxy of a busy shop is down, without the probe', { span: 'day', page: ['NothingSigned', 10] },
    changing(busy, none)),
  on('the same on the first day', { page: ['NothingSigned', 50] }, changing(busy, none)),
  on('the certificate has expired',
    { probe: true, page: ['ProbeFails', 4], may: ['NothingSigned', 'CertificateExpires'] },
    changing(busy, none), time => ({ ...probeFails()(time), [certificate]: time.now - time.minute * 60 })),
  on('the certificate is not renewed', { probe: true, warns: { CertificateExpires: 2 } },
    () => busy, ({ now, minute }) => ({ [certificate]: now + 14 * 86_400 - minute * 60 })),
  on('the name of the backend is not resolved', { probe: true, page: ['ProbeFails', 4], lasts: 140 },
    changing(busy, turned(busy, all('unavailable'))), probeFails()),
  on('the name of the backend is not resolved, without the probe',
    { span: 'day', page: ['Unavailable', 6], lasts: 500 },
    changing(busy, turned(busy, all('unavailable')))),
  // fewer than 3 orders in 9 hours come once in 160 times
  on('the backend of a small shop is down, without the probe', { span: 'day', page: ['Unavailable', 9 * 60] },
    changing(small, turned(small, all('unavailable')))),
  on('the backend is down for an hour', { probe: true, page: ['ProbeFails', 4] },
    changing(medium, turned(medium, all('unavailable')), 60), probeFails(60)),
  on('one of ten servers of the backend is down', { probe: true, page: ['Unavailable', 10] },
    changing(busy, turned(busy, all('unavailable'), 0.1))),
  on('a few 503', {}, changing(busy, sum(busy, { unavailable: 0.5 }))),
  on('a disk is full, AUDIT=required', { probe: true, page: ['ProbeFails', 4], may: ['LinesLost'] },
    changing(busy, turned(busy, all('unavailable')), 60),
    time => ({
      ...probeFails(60)(time),
      ...changingValues([audit('one'), audit('other')], 1, 0, 60)(time),
      ...growing('audit_lines_lost')(time)
    })),
  on('a disk is full, AUDIT=required, without the probe', { page: ['AuditDown', 5] },
    changing(busy, turned(busy, all('unavailable')), 60), changingValues([audit('one'), audit('other')], 1, 0, 60)),
  on('a disk is full, AUDIT=true', { probe: true, page: ['AuditDown', 5], may: ['LinesLost'] },
    () => busy, time => ({ ...changingValues([audit('one')], 1, 0)(time), ...growing('audit_lines_lost')(time) })),
  on('an instance does not answer', { probe: true, page: ['Down', 5] }, () => busy, changingValues([up('one')], 1, 0)),
  on('an instance answers now and then', { probe: true, page: ['Down', 15] },
    () => busy, time => ({ [up('one')]: isOn(time) && time.minute % 3 !== 0 ? 0 : 1 })),
  on('all instances are down', { probe: true, page: ['Down', 5] },
    changing(busy, none),
    time => ({ ...probeFails()(time), ...changingValues([up('one'), up('other')], 1, 0)(time) })),
  on('all pods are gone', { probe: true, page: ['ProbeFails', 4] },
    changing(busy, none),
    time => ({ ...probeFails()(time), ...changingValues([up('one'), up('other')], 1, undefined)(time) })),
  on('all pods are gone, without the probe', { page: ['Down', 5] },
    changing(busy, none), changingValues([up('one'), up('other')], 1, undefined)),
  on('instances sign with different tokens', { probe: true, page: ['InstancesDiffer', 6] },
    () => busy,
    time => ({
      ...changingValues([token('other', '625429')], 1, undefined)(time),
      ...changingValues([token('other', '02672b')], undefined, 1)(time)
    })),
  on('an instance has an old policy', { probe: true, page: ['ProbeFails', 8] },
    changing({ signed: 60 }, { 'signed @one': 30, 'forbidden @other': 30 }),
    time => ({ [success]: isOn(time) && time.minute % 2 === 0 ? 0 : 1 })),
  on('an instance with a third of the requests has an old policy, without the probe',
    { page: ['InstancesDiffer', 25], lasts: 140 },
    changing({ signed: 60 }, { 'signed @one': 40, 'forbidden @other': 20 })),
  on('an instance with half of the requests has an old policy', { page: ['InstancesDiffer', 12] },
    changing({ signed: 60 }, { 'signed @one': 30, 'forbidden @other': 30 })),
  on('a release responds to 2 % with 500', { probe: true, page: ['Failing', 15], may: ['Unstable'] },
    changing(busy, turned(busy, all('failed'), 0.02))),
  on('a release responds to all requests of a small shop with 500',
    { span: 'day', page: ['Failing', 9 * 60], may: ['Unstable'] },
    changing(small, turned(small, all('failed')))),
  on('a single 500', { probe: true, may: ['Unstable'] }, time => sum(busy, time.minute === 5 ? { failed: 1 } : none)),
  on('Redis is down', { warns: { RedisDown: 3 } }, () => busy, changingValues([redis], 1, 0)),
  on('Redis is down, RATE_LIMIT_FAIL=closed', { page: ['Unavailable', 6], warns: { RedisDown: 3 } },
    changing(busy, turned(busy, all('unavailable'))), changingValues([redis], 1, 0)),
  on('the blackbox exporter is down', { probe: true, warns: { ProbeDown: 12 } },
    () => busy,
    time => ({
      ...changingValues([`up${onProbe}`], 1, 0)(time), ...changingValues([success, certificate], 1e9, undefined)(time)
    })),
  on('only the probe is refused', { probe: true, page: ['ProbeFails', 4] }, () => busy, probeFails())
]

/** The service works, and refuses what should be signed. */
const refusals: Situation[] = [
  on('the back office has a wrong key', { span: 'day', probe: true, warns: { Refused: 180 } },
    changing(busy, turned(busy, { 'signed refund back-office': 'unauthenticated unknown unknown' }))),
  on('a back office with 3 refunds an hour has a wrong key', { span: 'day', warns: { Refused: 500 } },
    changing({ signed: 60, 'signed refund back-office': 3 / 60 }, { signed: 60, 'unauthenticated unknown unknown': 3 / 60 })),
  on('the back office sends no key', { span: 'day', warns: { Refused: 180 } },
    changing({ signed: 60, 'signed refund back-office': 0.3 }, { signed: 60, 'forbidden refund': 0.3 })),
  on('the policy forbids refunds', { span: 'day', probe: true, warns: { Refused: 180 } },
    changing(busy, turned(busy, { 'signed refund back-office': 'forbidden refund back-office' }))),
  on('all refunds are invalid, without a policy', { span: 'day', warns: { Refused: 180 } },
    changing({ signed: 1, 'signed refund': 0.5 }, { signed: 1, 'invalid unknown': 0.5 })),
  on('twelve shops with few voids each are refused', { span: 'day', warns: { Refused: 180 } },
    time => Object.fromEntries(Array.from({ length: 12 }, (_, n) =>
      [`${isOn(time) ? 'forbidden' : 'signed'} void shop-${n}`, 2 / 120]))),
  on('40 % of all requests are invalid', { span: 'day', probe: true, warns: { Refused: 100 } },
    changing(busy, turned(busy, { signed: 'invalid unknown' }, 0.4))),
  // six hours without an order come once in 400 times
  on('24 orders a day, all invalid for two days', { span: 'week', warns: { Refused: 12 * 60 } },
    changing(small, turned(small, { signed: 'invalid unknown' }))),
  on('a page sends only invalid requests', { span: 'day', probe: true, page: ['SignaturesFell', 10], lasts: 500 },
    changing(busy, turned(busy, { signed: 'invalid unknown' }))),
  on('a page sends only invalid requests, on the first day', { page: ['SignaturesFell', 10] },
    changing(busy, turned(busy, { signed: 'invalid unknown' }))),
  on('the policy refuses all, and the probe', { span: 'day', probe: true, page: ['ProbeFails', 4] },
    changing(busy, turned(busy, all('forbidden')), 90), probeFails(90)),
  on('TRUST_PROXY is wrong: buyers share a limit', { span: 'day', probe: true, page: ['SignaturesFell', 10] },
    changing({ signed: 600 }, { signed: 60, 'rate_limited unknown': 540 })),
  on('the backend refuses all for three hours', { span: 'day', probe: true, page: ['SignaturesFell', 10] },
    changing(busy, turned(busy, all('unauthenticated')), 180)),
  on('all clocks are two days behind', { probe: true, page: ['SignaturesFell', 10] },
    changing(busy, turned(busy, all('invalid')))),
  on('10 orders an hour, all invalid', { span: 'day', warns: { Refused: 180 } },
    changing({ signed: 1 / 6 }, { 'invalid unknown': 1 / 6 })),
  on('a third of the pages sends invalid requests', { span: 'day', warns: { Refused: 100 } },
    changing(busy, turned(busy, { signed: 'invalid unknown' }, 0.33))),
  on('a stolen key: many refunds', { span: 'day', warns: { RefundsUnusual: 60 } },
    changing({ signed: 60, 'signed refund back-office': 0.2 }, { signed: 60, 'signed refund back-office': 2 }))
]

/** An instance needs attention. */
const instances: Situation[] = [
  on('the file of the token is empty', { warns: { FileNotReloaded: 3 } }, undefined, growing('token_reloads', ',result="failed"')),
  on('the policy is invalid', { warns: { FileNotReloaded: 3 } }, undefined, growing('policy_reloads', ',result="failed"')),
  on('the file of the merchants is invalid', { warns: { FileNotReloaded: 3 } }, undefined,
    growing('merchants_reloads', ',result="failed"')),
  on('lines of the log are lost', { warns: { LinesLost: 3 } }, undefined, growing('log_lines_lost')),
  on('overload', { warns: { Overloaded: 5 } }, undefined, growing('shed_requests')),
  on('connections are refused', { warns: { Overloaded: 5 } }, undefined, growing('connections_refused')),
  on('nearly all connections are open', { warns: { Overloaded: 4 } }, undefined,
    time => ({
      ...changingValues(['payment_signature_connections{instance="one"}'], 100, 1900)(time),
      'payment_signature_connections_max{instance="one"}': 2000
    })),
  on('the event loop is late', { warns: { Overloaded: 4 } }, undefined,
    changingValues(['payment_signature_event_loop_delay_seconds{instance="one"}'], 0.01, 0.3)),
  on('the backend takes more than a second', { warns: { Overloaded: 6 } }, undefined,
    ({ minute }) => ({ [bucket('1.0')]: Math.min(0, minute) * 60 + 1e5, [bucket('+Inf')]: minute * 60 + 1e5 })),
  on('one slow network', {}, undefined,
    ({ minute }) => ({
      [bucket('1')]: minute * 60 + 1e5, [bucket('+Inf')]: minute * 60 + 1e5 + Math.max(0, Math.floor(minute / 30))
    })),
  on('an instance is killed for its memory, again and again', { warns: { Unstable: 15 } }, undefined,
    ({ minute, now }) => ({ [started('one')]: minute < 0 ? -1e6 : now - (minute % 4) * 60 })),
  on('faults in the background', { warns: { Unstable: 8 } }, undefined,
    ({ minute }) => ({ 'payment_signature_background_faults_total{instance="one"}': Math.max(0, Math.floor(minute / 5)) }))
]

/** A process has counted before its first scrape, and increase() sees nothing. */
const firstScrapes: Situation[] = Object.entries({
  log_lines_lost_total: 'LinesLost',
  audit_lines_lost_total: 'LinesLost',
  shed_requests_total: 'Overloaded',
  connections_refused_total: 'Overloaded',
  background_faults_total: 'Unstable',
  'token_reloads_total{result="failed"}': 'FileNotReloaded',
  'policy_reloads_total{result="failed"}': 'FileNotReloaded',
  'merchants_reloads_total{result="failed"}': 'FileNotReloaded',
  'decisions_total{outcome="failed",operation="refund",caller="back-office"}': 'Unstable'
}).map(([counter, alert]) => {
  const [name = '', labels = '}'] = counter.split('{')
  return {
    name: `a new process with ${name}`,
    series: ({ minute, now }) => ({
      [`payment_signature_${name}{instance="one"${labels === '}' ? '' : ','}${labels}`]: minute < 0 ? undefined : 1,
      [started('one')]: minute < 0 ? -1e6 : now - minute * 60 - 30
    }),
    warns: { [alert]: 4 }
  }
})

/** Situations that are not derived from the rules. */
const later: Situation[] = [
  on('bots test stolen cards: for three hours twenty times as many orders, all signed', { span: 'day', probe: true },
    time => sum(shop(time, 4), isOn(time, 180) ? { signed: 80, 'invalid unknown': 2 } : none)),
  on('a new app sends invalid requests, and customers install it over six hours',
    { span: 'day', warns: { Refused: 420 } },
    ({ minute }) => turned(busy, { signed: 'invalid unknown' }, Math.min(0.5, Math.max(0, minute / 720)))),
  on('Redis is away for 3 minutes of each 30', { warns: { RedisDown: 5 } },
    () => busy, time => ({ [redis]: isOn(time) && time.minute % 30 < 3 ? 0 : 1 })),
  on('an instance is removed in the evening and added in the morning', { span: 'day' },
    ({ hour }) => hour >= 8 && hour < 18 ? { 'signed @one': 10, 'signed @other': 10 } : { 'signed @one': 2 },
    ({ hour, now }) => hour >= 8 && hour < 18
      ? { [started('other')]: now - (hour - 8) * 3600 }
      : { [up('other')]: undefined, [started('other')]: undefined, [audit('other')]: undefined, [token('other', '625429')]: undefined }),
  // by chance, there is no order for two hours of a night
  on('the back office sends the refunds of a week on Mondays at 9', { span: 'week', may: ['Refused'] },
    time => sum(shop(time, 10), { 'unauthenticated unknown unknown': 0.05 },
      time.day % 7 === 0 ? open(time, 9, 10, { 'signed refund back-office': 3 }) : none)),
  on('Prometheus does not reach the instances for 20 minutes, and buyers notice nothing',
    { span: 'day', probe: true, page: ['Down', 6] },
    () => busy, changingValues([up('one'), up('other')], 1, 0, 20)),
  on('the backend is slow, and a third of the requests gets 503', { probe: true, page: ['Unavailable', 10] },
    changing(busy, turned(busy, all('unavailable'), 0.33)),
    time => ({ [success]: isOn(time) && [3, 4, 7].includes(time.minute % 10) ? 0 : 1 })),
  on('the backend restarts: 503 for half a minute', { probe: true },
    changing(busy, turned(busy, all('unavailable'), 0.5), 1), ({ minute }) => ({ [success]: minute === 0 ? 0 : 1 })),
  // a new name has no usual number
  on('the back office gets a new name with its new key', { span: 'day', may: ['RefundsUnusual'] },
    changing(sum(busy, { 'unauthenticated unknown unknown': 0.05 }),
      { ...turned(busy, { 'signed refund back-office': 'signed refund service-desk' }), 'unauthenticated unknown unknown': 0.05 })),
  on('an instance leaks memory, and is killed every six minutes', { warns: { Unstable: 60 } },
    () => busy, ({ minute, now }) => ({ [started('one')]: minute < 0 ? -1e6 : now - (minute % 6) * 60 })),
  on('an instance leaks memory, and is killed every ten minutes', { warns: { Unstable: 60 } },
    () => busy, ({ minute, now }) => ({ [started('one')]: minute < 0 ? -1e6 : now - (minute % 10) * 60 })),
  on('a new app sends a wrong amount in a tenth of the requests', { span: 'day', warns: { Refused: 120 } },
    changing(busy, turned(busy, { signed: 'invalid unknown' }, 0.1))),
  // half an hour without a mistake comes once in nine times
  on('200 orders a day, every second one invalid', { span: 'day', warns: { Refused: 480 } },
    changing({ signed: 200 / 1440, 'invalid unknown': 4 / 1440 }, { signed: 100 / 1440, 'invalid unknown': 100 / 1440 })),
  on('a new country: a third more orders, with more mistakes', { span: 'day' },
    changing(busy, sum(busy, { 'signed purchase shop-fr': 19, 'invalid unknown': 1 })))
]

export const situations: Situation[] = [
  ...strangers, ...calendar, ...outages, ...refusals, ...instances, ...firstScrapes, ...later
]
