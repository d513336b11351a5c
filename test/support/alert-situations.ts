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

/** Strangers: nobody is woken. */
const strangers: Situation[] = [
  { name: 'a stranger sends 4 requests a minute to a busy shop', requests: changing(busy, sum(busy, stranger)) },
  {
    name: 'refunds of a stranger',
    span: 'day',
    requests: time => sum(shop(time, 2), isOn(time) ? { 'forbidden refund': 4 } : none)
  },
  {
    name: 'a stranger without a key',
    span: 'day',
    requests: changing(medium, sum(medium, { 'unauthenticated unknown': 4 })),
    may: ['Refused'] // by chance, there is no order for two hours
  },
  { name: 'unknown orders of a stranger', span: 'day', requests: time => sum(shop(time, 2), isOn(time) ? { refused: 4 } : none) },
  {
    name: 'bad bodies of a stranger',
    span: 'day',
    requests: time => sum(shop(time, 2), isOn(time) ? { 'invalid unknown': 4 } : none),
    may: ['Refused'] // a page with an error looks the same
  },
  { name: 'a stranger and a small shop', span: 'day', requests: changing(small, sum(small, stranger)), may: ['Refused'] },
  {
    name: 'the limit of an address refuses 30 requests a minute',
    requests: changing(busy, sum(busy, { 'rate_limited unknown': 30 }))
  },
  {
    name: 'a scan of 15 minutes',
    span: 'day',
    requests: time => sum(shop(time, 1), isOn(time, 15) ? { 'invalid unknown': 200, 'unauthenticated unknown unknown': 100 } : none)
  },
  {
    name: 'a stranger in a night without orders',
    span: 'day',
    requests: time => sum(open(time, 7, 23), time.day === 0 ? none : stranger)
  },
  {
    name: 'somebody guesses keys',
    requests: changing(busy, sum(busy, { 'unauthenticated unknown unknown': 20, 'rate_limited unknown unknown': 600 }))
  },
  {
    name: 'a stranger on a closed day',
    span: 'day',
    probe: true,
    requests: time => sum(stranger, time.day === 0 ? none : shop(time, 1)),
    may: ['NothingSigned', 'Refused']
  }
]

/** Days that differ from others: nobody is woken. */
const calendar: Situation[] = [
  {
    name: 'a week with a deployment each day',
    span: 'week',
    requests: time => shop(time, 20),
    series: ({ minute, hour, now }) => {
      const restart = now - ((minute + 720 + 14_400 - 600) % 1440) * 60 // at 10:00
      return { [started('one')]: restart, [started('other')]: restart + 120, [up('one')]: hour === 10 ? 0 : 1 }
    }
  },
  { name: 'nights without orders', span: 'day', requests: time => open(time, 8, 22) },
  {
    name: 'a small shop, by chance without orders for hours',
    span: 'week',
    requests: () => sum(small, { 'forbidden refund': 0.003 }),
    may: ['Refused']
  },
  {
    name: 'a clock change: the shop opens and closes an hour later',
    span: 'day',
    requests: time => time.minute < -480 ? open(time, 6, 20) : open(time, 7, 21)
  },
  {
    name: 'a clock change: the shop opens and closes an hour earlier',
    span: 'day',
    requests: time => time.minute < -480 ? open(time, 7, 21) : open(time, 6, 20)
  },
  {
    name: 'a closed day, with the probe',
    span: 'day',
    probe: true,
    requests: time => time.day === 0 ? none : open(time, 8, 22),
    may: ['NothingSigned']
  },
  {
    name: 'a closed day, without the probe',
    span: 'day',
    requests: time => time.day === 0 ? none : open(time, 8, 22),
    known: 'nothing but the probe tells it from a broken proxy'
  },
  {
    name: 'closed on Sundays',
    span: 'week',
    requests: time => [0, -7].includes(time.day) ? { 'invalid unknown': 0.01 } : shop(time, 2)
  },
  {
    name: 'a back office that works on five days',
    span: 'week',
    requests: time => sum({ signed: 10, 'invalid unknown': 0.3, 'unauthenticated unknown unknown': 0.05 },
      [0, 1, -7, -6].includes(time.day) ? none : open(time, 8, 17, { 'signed refund back-office': 0.3 }))
  },
  {
    name: 'Black Friday',
    span: 'week',
    requests: time => sum(shop(time, time.day === 0 ? 80 : 8), { refused: 0.1 }),
    may: ['Refused'] // by chance, there is no order for two hours of a night
  },
  {
    name: 'a sale of an hour',
    span: 'day',
    requests: changing(medium, sum(medium, { signed: 8, 'invalid unknown': 0.3 }), 60)
  },
  {
    name: 'the end of a campaign',
    requests: changing({ signed: 60, 'invalid unknown': 2 }, { signed: 10, 'invalid unknown': 0.4 })
  },
  {
    name: 'an evening with as many mistakes as orders',
    span: 'day',
    requests: time => open(time, 8, 20).signed ? { signed: 5, 'invalid unknown': 0.4 } : { signed: 0.4, 'invalid unknown': 0.4 }
  },
  {
    name: 'a new token arrives two minutes apart',
    requests: () => busy,
    series: time => ({
      ...changingValues([token('one', '625429')], 1, undefined)(time),
      ...changingValues([token('one', '02672b')], undefined, 1)(time),
      [token('other', '625429')]: time.minute < 2 ? 1 : undefined,
      [token('other', '02672b')]: time.minute < 2 ? undefined : 1
    })
  },
  {
    name: 'a deployment: both instances restart, one after the other',
    probe: true,
    requests: () => busy,
    series: ({ minute, now }) => ({
      [up('one')]: minute === 0 ? 0 : 1,
      [up('other')]: minute === 2 ? 0 : 1,
      [success]: minute === 1 ? 0 : 1,
      [started('one')]: minute > 0 ? now - minute * 60 : -1e6,
      [started('other')]: minute > 2 ? now - (minute - 2) * 60 : -1e6
    })
  },
  {
    name: 'old counts, after Prometheus was away for an hour',
    requests: () => busy,
    series: changingValues(['log_lines_lost', 'background_faults', 'shed_requests']
      .map(name => `payment_signature_${name}_total{instance="one"}`), 500, undefined, 60)
  },
  { name: 'a day on which nothing happens', span: 'day', probe: true, requests: () => busy },
  { name: 'a new installation without requests', probe: true }
]

/** Requests do not arrive, or the service or something behind it breaks. */
const outages: Situation[] = [
  {
    name: 'the proxy of a shop with 60 orders a day is down',
    probe: true,
    requests: changing(medium, none),
    series: probeFails(),
    page: ['ProbeFails', 4],
    lasts: 140
  },
  {
    name: 'the same without the probe', span: 'day', requests: changing(medium, none), page: ['NothingSigned', 7 * 60]
  },
  { name: 'the proxy of a busy shop is down, without the probe', span: 'day', requests: changing(busy, none), page: ['NothingSigned', 10] },
  { name: 'the same on the first day', requests: changing(busy, none), page: ['NothingSigned', 50] },
  {
    name: 'the certificate has expired',
    probe: true,
    requests: changing(busy, none),
    series: time => ({ ...probeFails()(time), [certificate]: time.now - time.minute * 60 }),
    page: ['ProbeFails', 4],
    may: ['NothingSigned', 'CertificateExpires']
  },
  {
    name: 'the certificate is not renewed',
    probe: true,
    requests: () => busy,
    series: ({ now, minute }) => ({ [certificate]: now + 14 * 86_400 - minute * 60 }),
    warns: { CertificateExpires: 2 }
  },
  {
    name: 'the name of the backend is not resolved',
    probe: true,
    requests: changing(busy, turned(busy, all('unavailable'))),
    series: probeFails(),
    page: ['ProbeFails', 4],
    lasts: 140
  },
  {
    name: 'the name of the backend is not resolved, without the probe',
    span: 'day',
    requests: changing(busy, turned(busy, all('unavailable'))),
    page: ['Unavailable', 6],
    lasts: 500
  },
  {
    name: 'the backend of a small shop is down, without the probe',
    span: 'day',
    requests: changing(small, turned(small, all('unavailable'))), // fewer than 3 orders in 9 hours come once in 160 times
    page: ['Unavailable', 9 * 60]
  },
  {
    name: 'the backend is down for an hour',
    probe: true,
    requests: changing(medium, turned(medium, all('unavailable')), 60),
    series: probeFails(60),
    page: ['ProbeFails', 4]
  },
  {
    name: 'one of ten servers of the backend is down',
    probe: true,
    requests: changing(busy, turned(busy, all('unavailable'), 0.1)),
    page: ['Unavailable', 10]
  },
  { name: 'a few 503', requests: changing(busy, sum(busy, { unavailable: 0.5 })) },
  {
    name: 'a disk is full, AUDIT=required',
    probe: true,
    requests: changing(busy, turned(busy, all('unavailable')), 60),
    series: time => ({
      ...probeFails(60)(time), ...changingValues([audit('one'), audit('other')], 1, 0, 60)(time), ...growing('audit_lines_lost')(time)
    }),
    page: ['ProbeFails', 4],
    may: ['LinesLost']
  },
  {
    name: 'a disk is full, AUDIT=required, without the probe',
    requests: changing(busy, turned(busy, all('unavailable')), 60),
    series: changingValues([audit('one'), audit('other')], 1, 0, 60),
    page: ['AuditDown', 5]
  },
  {
    name: 'a disk is full, AUDIT=true',
    probe: true,
    requests: () => busy,
    series: time => ({ ...changingValues([audit('one')], 1, 0)(time), ...growing('audit_lines_lost')(time) }),
    page: ['AuditDown', 5],
    may: ['LinesLost']
  },
  { name: 'an instance does not answer', probe: true, requests: () => busy, series: changingValues([up('one')], 1, 0), page: ['Down', 5] },
  {
    name: 'an instance answers now and then',
    probe: true,
    requests: () => busy,
    series: time => ({ [up('one')]: isOn(time) && time.minute % 3 !== 0 ? 0 : 1 }),
    page: ['Down', 15]
  },
  {
    name: 'all instances are down',
    probe: true,
    requests: changing(busy, none),
    series: time => ({ ...probeFails()(time), ...changingValues([up('one'), up('other')], 1, 0)(time) }),
    page: ['Down', 5]
  },
  {
    name: 'all pods are gone',
    probe: true,
    requests: changing(busy, none),
    series: time => ({ ...probeFails()(time), ...changingValues([up('one'), up('other')], 1, undefined)(time) }),
    page: ['ProbeFails', 4]
  },
  {
    name: 'all pods are gone, without the probe',
    requests: changing(busy, none),
    series: changingValues([up('one'), up('other')], 1, undefined),
    page: ['Down', 5]
  },
  {
    name: 'instances sign with different tokens',
    probe: true,
    requests: () => busy,
    series: time => ({
      ...changingValues([token('other', '625429')], 1, undefined)(time), ...changingValues([token('other', '02672b')], undefined, 1)(time)
    }),
    page: ['InstancesDiffer', 6]
  },
  {
    name: 'an instance has an old policy',
    probe: true,
    requests: changing({ signed: 60 }, { 'signed @one': 30, 'forbidden @other': 30 }),
    series: time => ({ [success]: isOn(time) && time.minute % 2 === 0 ? 0 : 1 }),
    page: ['ProbeFails', 8]
  },
  {
    name: 'an instance with a third of the requests has an old policy, without the probe',
    requests: changing({ signed: 60 }, { 'signed @one': 40, 'forbidden @other': 20 }),
    page: ['InstancesDiffer', 25],
    lasts: 140
  },
  {
    name: 'an instance with half of the requests has an old policy',
    requests: changing({ signed: 60 }, { 'signed @one': 30, 'forbidden @other': 30 }),
    page: ['InstancesDiffer', 12]
  },
  {
    name: 'a release responds to 2 % with 500',
    probe: true,
    requests: changing(busy, turned(busy, all('failed'), 0.02)),
    page: ['Failing', 15],
    may: ['Unstable']
  },
  {
    name: 'a release responds to all requests of a small shop with 500',
    span: 'day',
    requests: changing(small, turned(small, all('failed'))),
    page: ['Failing', 9 * 60],
    may: ['Unstable']
  },
  { name: 'a single 500', probe: true, requests: time => sum(busy, time.minute === 5 ? { failed: 1 } : none), may: ['Unstable'] },
  { name: 'Redis is down', requests: () => busy, series: changingValues([redis], 1, 0), warns: { RedisDown: 3 } },
  {
    name: 'Redis is down, RATE_LIMIT_FAIL=closed',
    requests: changing(busy, turned(busy, all('unavailable'))),
    series: changingValues([redis], 1, 0),
    page: ['Unavailable', 6],
    warns: { RedisDown: 3 }
  },
  {
    name: 'the blackbox exporter is down',
    probe: true,
    requests: () => busy,
    series: time => ({
      ...changingValues([`up${onProbe}`], 1, 0)(time), ...changingValues([success, certificate], 1e9, undefined)(time)
    }),
    warns: { ProbeDown: 12 }
  },
  {
    name: 'only the probe is refused', probe: true, requests: () => busy, series: probeFails(), page: ['ProbeFails', 4]
  }
]

/** The service works, and refuses what should be signed. */
const refusals: Situation[] = [
  {
    name: 'the back office has a wrong key',
    span: 'day',
    probe: true,
    requests: changing(busy, turned(busy, { 'signed refund back-office': 'unauthenticated unknown unknown' })),
    warns: { Refused: 180 }
  },
  {
    name: 'a back office with 3 refunds an hour has a wrong key',
    span: 'day',
    requests: changing({ signed: 60, 'signed refund back-office': 3 / 60 }, { signed: 60, 'unauthenticated unknown unknown': 3 / 60 }),
    warns: { Refused: 500 }
  },
  {
    name: 'the back office sends no key',
    span: 'day',
    requests: changing({ signed: 60, 'signed refund back-office': 0.3 }, { signed: 60, 'forbidden refund': 0.3 }),
    warns: { Refused: 180 }
  },
  {
    name: 'the policy forbids refunds',
    span: 'day',
    probe: true,
    requests: changing(busy, turned(busy, { 'signed refund back-office': 'forbidden refund back-office' })),
    warns: { Refused: 180 }
  },
  {
    name: 'all refunds are invalid, without a policy',
    span: 'day',
    requests: changing({ signed: 1, 'signed refund': 0.5 }, { signed: 1, 'invalid unknown': 0.5 }),
    warns: { Refused: 180 }
  },
  {
    name: 'twelve shops with few voids each are refused',
    span: 'day',
    requests: time => Object.fromEntries(Array.from({ length: 12 }, (_, n) =>
      [`${isOn(time) ? 'forbidden' : 'signed'} void shop-${n}`, 2 / 120])),
    warns: { Refused: 180 }
  },
  {
    name: '40 % of all requests are invalid',
    span: 'day',
    probe: true,
    requests: changing(busy, turned(busy, { signed: 'invalid unknown' }, 0.4)),
    warns: { Refused: 100 }
  },
  {
    name: '24 orders a day, all invalid for two days',
    span: 'week',
    requests: changing(small, turned(small, { signed: 'invalid unknown' })),
    warns: { Refused: 12 * 60 } // six hours without an order come once in 400 times
  },
  {
    name: 'a page sends only invalid requests',
    span: 'day',
    probe: true,
    requests: changing(busy, turned(busy, { signed: 'invalid unknown' })),
    page: ['SignaturesFell', 10],
    lasts: 500
  },
  {
    name: 'a page sends only invalid requests, on the first day',
    requests: changing(busy, turned(busy, { signed: 'invalid unknown' })),
    page: ['SignaturesFell', 10]
  },
  {
    name: 'the policy refuses all, and the probe',
    span: 'day',
    probe: true,
    requests: changing(busy, turned(busy, all('forbidden')), 90),
    series: probeFails(90),
    page: ['ProbeFails', 4]
  },
  {
    name: 'TRUST_PROXY is wrong: buyers share a limit',
    span: 'day',
    probe: true,
    requests: changing({ signed: 600 }, { signed: 60, 'rate_limited unknown': 540 }),
    page: ['SignaturesFell', 10]
  },
  {
    name: 'the backend refuses all for three hours',
    span: 'day',
    probe: true,
    requests: changing(busy, turned(busy, all('unauthenticated')), 180),
    page: ['SignaturesFell', 10]
  },
  {
    name: 'all clocks are two days behind',
    probe: true,
    requests: changing(busy, turned(busy, all('invalid'))),
    page: ['SignaturesFell', 10]
  },
  {
    name: '10 orders an hour, all invalid',
    span: 'day',
    requests: changing({ signed: 1 / 6 }, { 'invalid unknown': 1 / 6 }),
    warns: { Refused: 180 }
  },
  {
    name: 'a third of the pages sends invalid requests',
    span: 'day',
    requests: changing(busy, turned(busy, { signed: 'invalid unknown' }, 0.33)),
    warns: { Refused: 100 }
  },
  {
    name: 'a stolen key: many refunds',
    span: 'day',
    requests: changing({ signed: 60, 'signed refund back-office': 0.2 }, { signed: 60, 'signed refund back-office': 2 }),
    warns: { RefundsUnusual: 60 }
  }
]

/** An instance needs attention. */
const instances: Situation[] = [
  { name: 'the file of the token is empty', series: growing('token_reloads', ',result="failed"'), warns: { FileNotReloaded: 3 } },
  { name: 'the policy is invalid', series: growing('policy_reloads', ',result="failed"'), warns: { FileNotReloaded: 3 } },
  { name: 'the file of the merchants is invalid', series: growing('merchants_reloads', ',result="failed"'), warns: { FileNotReloaded: 3 } },
  { name: 'lines of the log are lost', series: growing('log_lines_lost'), warns: { LinesLost: 3 } },
  { name: 'overload', series: growing('shed_requests'), warns: { Overloaded: 5 } },
  { name: 'connections are refused', series: growing('connections_refused'), warns: { Overloaded: 5 } },
  {
    name: 'nearly all connections are open',
    series: time => ({
      ...changingValues(['payment_signature_connections{instance="one"}'], 100, 1900)(time),
      'payment_signature_connections_max{instance="one"}': 2000
    }),
    warns: { Overloaded: 4 }
  },
  {
    name: 'the event loop is late',
    series: changingValues(['payment_signature_event_loop_delay_seconds{instance="one"}'], 0.01, 0.3),
    warns: { Overloaded: 4 }
  },
  {
    name: 'the backend takes more than a second',
    series: ({ minute }) => ({ [bucket('1.0')]: Math.min(0, minute) * 60 + 1e5, [bucket('+Inf')]: minute * 60 + 1e5 }),
    warns: { Overloaded: 6 }
  },
  {
    name: 'one slow network',
    series: ({ minute }) => ({
      [bucket('1')]: minute * 60 + 1e5, [bucket('+Inf')]: minute * 60 + 1e5 + Math.max(0, Math.floor(minute / 30))
    })
  },
  {
    name: 'an instance is killed for its memory, again and again',
    series: ({ minute, now }) => ({ [started('one')]: minute < 0 ? -1e6 : now - (minute % 4) * 60 }),
    warns: { Unstable: 15 }
  },
  {
    name: 'faults in the background',
    series: ({ minute }) => ({ 'payment_signature_background_faults_total{instance="one"}': Math.max(0, Math.floor(minute / 5)) }),
    warns: { Unstable: 8 }
  }
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
  {
    name: 'bots test stolen cards: for three hours twenty times as many orders, all signed',
    span: 'day',
    probe: true,
    requests: time => sum(shop(time, 4), isOn(time, 180) ? { signed: 80, 'invalid unknown': 2 } : none)
  },
  {
    name: 'a new app sends invalid requests, and customers install it over six hours',
    span: 'day',
    requests: ({ minute }) => turned(busy, { signed: 'invalid unknown' }, Math.min(0.5, Math.max(0, minute / 720))),
    warns: { Refused: 420 }
  },
  {
    name: 'Redis is away for 3 minutes of each 30',
    requests: () => busy,
    series: time => ({ [redis]: isOn(time) && time.minute % 30 < 3 ? 0 : 1 }),
    warns: { RedisDown: 5 }
  },
  {
    name: 'an instance is removed in the evening and added in the morning',
    span: 'day',
    requests: ({ hour }) => hour >= 8 && hour < 18 ? { 'signed @one': 10, 'signed @other': 10 } : { 'signed @one': 2 },
    series: ({ hour, now }) => hour >= 8 && hour < 18
      ? { [started('other')]: now - (hour - 8) * 3600 }
      : { [up('other')]: undefined, [started('other')]: undefined, [audit('other')]: undefined, [token('other', '625429')]: undefined }
  },
  {
    name: 'the back office sends the refunds of a week on Mondays at 9',
    span: 'week',
    requests: time => sum(shop(time, 10), { 'unauthenticated unknown unknown': 0.05 },
      time.day % 7 === 0 ? open(time, 9, 10, { 'signed refund back-office': 3 }) : none),
    may: ['Refused'] // by chance, there is no order for two hours of a night
  },
  {
    name: 'Prometheus does not reach the instances for 20 minutes, and buyers notice nothing',
    span: 'day',
    probe: true,
    requests: () => busy,
    series: changingValues([up('one'), up('other')], 1, 0, 20),
    page: ['Down', 6]
  },
  {
    name: 'the backend is slow, and a third of the requests gets 503',
    probe: true,
    requests: changing(busy, turned(busy, all('unavailable'), 0.33)),
    series: time => ({ [success]: isOn(time) && [3, 4, 7].includes(time.minute % 10) ? 0 : 1 }),
    page: ['Unavailable', 10]
  },
  {
    name: 'the backend restarts: 503 for half a minute',
    probe: true,
    requests: changing(busy, turned(busy, all('unavailable'), 0.5), 1),
    series: ({ minute }) => ({ [success]: minute === 0 ? 0 : 1 })
  },
  {
    name: 'the back office gets a new name with its new key',
    span: 'day',
    requests: changing(sum(busy, { 'unauthenticated unknown unknown': 0.05 }),
      { ...turned(busy, { 'signed refund back-office': 'signed refund service-desk' }), 'unauthenticated unknown unknown': 0.05 }),
    may: ['RefundsUnusual'] // a new name has no usual number
  },
  {
    name: 'an instance leaks memory, and is killed every six minutes',
    requests: () => busy,
    series: ({ minute, now }) => ({ [started('one')]: minute < 0 ? -1e6 : now - (minute % 6) * 60 }),
    warns: { Unstable: 60 }
  },
  {
    name: 'an instance leaks memory, and is killed every ten minutes',
    requests: () => busy,
    series: ({ minute, now }) => ({ [started('one')]: minute < 0 ? -1e6 : now - (minute % 10) * 60 }),
    warns: { Unstable: 60 }
  },
  {
    name: 'a new app sends a wrong amount in a tenth of the requests',
    span: 'day',
    requests: changing(busy, turned(busy, { signed: 'invalid unknown' }, 0.1)),
    warns: { Refused: 120 }
  },
  {
    name: '200 orders a day, every second one invalid',
    span: 'day',
    requests: changing({ signed: 200 / 1440, 'invalid unknown': 4 / 1440 }, { signed: 100 / 1440, 'invalid unknown': 100 / 1440 }),
    warns: { Refused: 480 } // half an hour without a mistake comes once in nine times
  },
  {
    name: 'a new country: a third more orders, with more mistakes',
    span: 'day',
    requests: changing(busy, sum(busy, { 'signed purchase shop-fr': 19, 'invalid unknown': 1 }))
  }
]

export const situations: Situation[] = [
  ...strangers, ...calendar, ...outages, ...refusals, ...instances, ...firstScrapes, ...later
]
