import type { Verb } from '../verb.ts'
import { MAX_USD_FLAG } from '../common/shared-flags.ts'

export const models: Verb = {
  name: 'models',
  summary: 'List the declared deployments with prices and keys, or ask one a word to see that it answers.',
  args: '[check] [names...]',
  flags: [
    {
      flags: '--local-path <folder>',
      description: 'model_deployments.yaml, credentials.conf',
      shownDefault: 'prod_env',
    },
    { flags: '--mirror <folder>', description: "check: take a local model's files from this folder" },
    { flags: '--store <folder>', description: 'check: whose ledger it enters', shownDefault: 'cache/store' },
    MAX_USD_FLAG,
    { flags: '--json', description: 'print one JSON object' },
  ],
  examples: ['medmake models', 'medmake models baseline', 'medmake models check local/llama'],
  load: async () => (await import('./action.ts')).modelsAction,
}
