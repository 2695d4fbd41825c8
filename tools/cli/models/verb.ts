import type { Verb } from '../verb.ts'
import { MAX_USD_FLAG } from '../common/shared-flags.ts'

export const models: Verb = {
  name: 'models',
  summary: 'List the declared deployments with prices and keys, or ask one a word to see that it answers.',
  args: '[check] [names...]',
  flags: {
    '--local-path <folder>': ['model_deployments.yaml, credentials.conf', 'medmake.yaml, else prod_env'],
    '--mirror <folder>': "check: take a local model's files from this folder",
    '--store <folder>': ['check: whose ledger it enters', 'medmake.yaml, else cache/store'],
    ...MAX_USD_FLAG,
    '--json': 'print one JSON object',
  },
  examples: ['medmake models', 'medmake models baseline', 'medmake models check local/llama'],
  load: async () => (await import('./action.ts')).modelsAction,
}
