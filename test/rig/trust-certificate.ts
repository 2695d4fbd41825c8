import { TRUSTED } from './tls-front.ts'

/**
 * Vitest's global setup: Node reads whom to trust when it starts, so workers are started with it. Else each run against
 * the certificate of the tests would need a process of its own.
 */
export const setup = (): void => {
  for (const [name, value] of Object.entries(TRUSTED)) process.env[name] = value
}
