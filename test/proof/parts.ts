import { alerts } from './alerts.js'
import { cost } from './cost.js'
import { diagnosis } from './diagnosis.js'
import { differential } from './differential.js'
import { disconnects } from './disconnects.js'
import { gameDay } from './game-day.js'
import { http } from './http.js'
import { model } from './model.js'
import { mutation } from './mutation.js'
import type { Part } from './part.js'
import { secrets } from './secrets.js'
import { slow } from './slow.js'
import { strict } from './strict.js'
import { timing } from './timing.js'
import { versions } from './versions.js'

/** All parts, in the order of the report. */
export const parts: Part[] = [
  mutation,
  model,
  differential,
  strict,
  diagnosis,
  http,
  disconnects,
  cost,
  gameDay,
  alerts,
  slow,
  versions,
  timing,
  secrets
]
