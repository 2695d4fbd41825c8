import { createClient } from '../../../../models/clients/create-client.ts'
import type { Client } from '../../../../models/calls/client.ts'
import type { RateHeaders } from '../../../../models/limits/learned-rate.ts'
import type { Credentials } from '../../../../models/deployment/credentials.ts'
import type { ModelDeployment } from '../../../../models/deployment/model.ts'
import type { Sent } from '../../../rig/recording-server.ts'

export const secret = 'secret-key-of-ours'

const credentialsOf = (known: Readonly<Record<string, string>> = {}): Credentials => ({
  lookup: (_deployment, what) => (what === 'ApiKey' ? secret : known[what]),
})

export const opened = async (
  deployment: ModelDeployment,
  known: Readonly<Record<string, string>> = {},
  onRateHeaders: (headers: RateHeaders) => void = () => undefined,
  shortestTimeout = 5000,
): Promise<Client> =>
  createClient(deployment, credentialsOf(known), {
    timeout: 5000,
    longestReply: 1_000_000,
    shortestTimeout,
    connections: 4,
    onRateHeaders,
  })

export const chat = (content: string): Sent => ({
  body: {
    model: 'served-1',
    system_fingerprint: 'fp',
    choices: [{ message: { content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 1 },
  },
})
export const response = (text: string, more: object = {}): Sent => ({
  body: {
    status: 'completed',
    model: 'served-2',
    output: [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Weighing.' }] },
      { type: 'message', content: [{ type: 'output_text', text }] },
    ],
    usage: {
      input_tokens: 7,
      output_tokens: 30,
      input_tokens_details: { cached_tokens: 2 },
      output_tokens_details: { reasoning_tokens: 20 },
    },
    ...more,
  },
})
