/** Variables of earlier commits and what replaces each. A service that ignored one would run with other limits. */
const dropped: Readonly<Record<string, string>> = {
  AUTHORIZE_MAX_IN_FLIGHT: '256 requests may wait for your backend',
  BODY_LIMIT: 'a body has at most 100 KiB',
  DOCS: '/openapi.json is always served',
  KEY_FAILURE_MAX: 'an address has 20 requests without a known key in a minute',
  MAX_CONNECTIONS: 'memory and the limit of open files (ulimit -n) determine the number',
  RATE_LIMIT_NAME: 'limits with the same Redis database and window count together',
  REDIS_TLS_CERT_FILE: 'REDIS_URL has no client certificate',
  REDIS_TLS_KEY_FILE: 'REDIS_URL has no client certificate',
  REUSE_PORT: 'give each process a PORT of its own, behind a proxy',
  TIME_STAMP_MAX_AHEAD: 'under STRICT a time stamp may be a day ahead'
}

/** Returns a line for each variable that is gone. */
export const droppedFaults = (given: Readonly<Record<string, unknown>>): string[] => Object.entries(dropped)
  .filter(([name]) => (given[name] ?? '') !== '')
  .map(([name, instead]) => `${name} is gone; ${instead}: leave it out`)
