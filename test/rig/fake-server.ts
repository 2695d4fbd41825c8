import { startFakeServer, type FakeServer, type FakeServerOptions } from '../bench/fake-server.ts'
import { afterFile } from './after-file.ts'

/** A chat server that lives as long as the test file. */
export const fakeServer = async (options: FakeServerOptions = {}): Promise<FakeServer> => {
  const server = await startFakeServer(options)
  afterFile(() => {
    server.release()
    return server.close()
  })
  return server
}

/** Text of a `models/<name>.yaml` that declares models served by that server. */
export const modelsYaml = (
  server: Pick<FakeServer, 'url'>,
  names: readonly string[],
  limits = '{}',
): string =>
  `model_deployments:\n${names
    .map(
      (name) =>
        `  - name: ${name}\n    limits: ${limits}\n    client_spec: {class_name: medmake.chat, args: {base_url: "${server.url}", model: ${name}}}\n`,
    )
    .join('')}`
