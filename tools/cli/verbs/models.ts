import type { Verb } from '../verb.ts'

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
    { flags: '--json', description: 'print one JSON object' },
  ],
  examples: ['medmake models', 'medmake models baseline', 'medmake models check local/llama'],
  load: async () => (await import('../actions/models.ts')).modelsAction,
}
