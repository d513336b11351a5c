import type { Part } from './part.js'
import { differential } from './differential.js'
import { http } from './http.js'
import { json } from './json.js'
import { strict } from './strict.js'

/** All parts, in the order of the report. */
export const parts: Part[] = [
  differential,
  json,
  http,
  strict
]
