import { spawn } from 'node:child_process'
import { afterFile } from './after-file.ts'
import { shared } from './shared.ts'

/**
 * The chat server that answered the real HELM when the reference results were made; it lives as long as the test file.
 * @param answers JSON file of prompt digests and answers
 * @returns host and port
 */
export const referenceServer = async (answers?: string): Promise<string> => {
  const args = answers === undefined ? [] : ['--answers', answers]
  const server = spawn(process.execPath, [shared('tools/fake-llm.mjs') ?? '', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  afterFile(() => server.kill())
  for await (const line of server.stdout as AsyncIterable<Buffer>)
    return new URL((JSON.parse(line.toString()) as { url: string }).url).host
  throw new Error('the reference server ended before it served')
}

/** A deployment in a list of YAML that is served by it, as HELM's vLLM client asks. */
export const referenceYaml = (
  name: string,
  served: string,
  host: string,
  { model = name, window = 128_000 }: { readonly model?: string; readonly window?: number } = {},
): string => `
- name: ${name}
  model_name: ${model}
  tokenizer_name: openai/cl100k_base
  max_sequence_length: ${window}
  client_spec:
    class_name: helm.clients.vllm_client.VLLMChatClient
    args: { base_url: 'http://${host}/v1', vllm_model_name: ${served} }`
