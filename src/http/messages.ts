/** The largest number of arrays, objects and commas in a body. A request with all fields has 11. */
export const maxValues = 1000

/** Messages of responses, which `openapi.json` shows too. The messages of the scheme are in `src/scheme/errors.ts`. */
export const messages = {
  accountNumberUnknown: 'the account number is not known',
  apiKeyRequired: 'An API key is required: send it as Authorization: Bearer',
  apiKeyUnknown: 'The API key is not known',
  auditUnavailable: 'Audit is unavailable, try again',
  authorizationUnavailable: 'Authorization is unavailable, try again',
  bodyEmpty: 'Body cannot be empty when content-type is set to \'application/json\'',
  bodyIncomplete: 'The request body is incomplete',
  bodyKey: 'the key __proto__ is not accepted',
  bodyLength: 'Request body size did not match Content-Length',
  bodyNotAnObject: 'Request body must be a JSON object',
  bodyNotJson: 'Body is not valid JSON but content-type is set to \'application/json\'',
  bodyNotUtf8: 'Request body is not valid UTF-8',
  bodyRead: 'The body of the request was read before: mount before the body parser, or pass rawBody',
  bodyTooLarge: 'Request body is too large',
  bodyTooManyChunks: 'Request body comes in too many small chunks',
  bodyTooManyValues: `Request body has more than ${maxValues} arrays, objects and commas`,
  chunkExtensions: 'Chunk extensions are too large',
  charset: 'Unsupported Media Type: send the body in UTF-8',
  contentEncoding: 'Unsupported Media Type: send the body without Content-Encoding',
  contentType: 'Unsupported Media Type: send the body as application/json',
  expect: 'Expectation Failed: only 100-continue is understood',
  fault: 'Internal Server Error',
  headersTooLarge: 'Request Header Fields Too Large',
  hostRequired: 'Host header is required',
  httpIncomplete: 'Incomplete HTTP request',
  notHttp: 'Malformed HTTP request',
  overloaded: 'Service Unavailable: overloaded, try again later',
  rateLimitUnavailable: 'Rate limit is unavailable',
  timeout: 'Request Timeout: the request did not arrive in time',
  tooManyBodies: 'Service Unavailable: too many request bodies at a time, try again later',
  tooManyRequests: 'Too many requests',
  tooManyWithoutKey: 'Too many requests without a known API key',
  urlMalformed: 'Malformed URL'
} as const
