import type { Tree } from '@nx/devkit'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { slug } from '../pairs/pair-name.ts'

export interface ModelOptions {
  readonly name: string
  readonly baseUrl: string
  /** As the server calls it; the name's last part unless given. */
  readonly model?: string
  /** Calls in flight. */
  readonly concurrency?: number
}

/** `nx g medmake:model ORG/NAME --baseUrl URL`: an entry for any OpenAI-compatible server. */
export const model = (tree: Tree, { name, baseUrl, model: served, concurrency = 8 }: ModelOptions): void => {
  if (!/^[\w.-]+\/[\w.:-]+$/.test(name))
    throw new ProblemError({
      code: 'nx/bad-name',
      message: `${name} is no name for a model`,
      remedy: 'Write organization/model, such as meta/llama-3.3-70b-instruct.',
    })
  if (!URL.canParse(baseUrl))
    throw new ProblemError({
      code: 'nx/bad-url',
      message: `${baseUrl} is no address`,
      remedy: 'Write the address up to /v1, such as http://127.0.0.1:8000/v1.',
    })
  const [organization = '', own = ''] = name.split('/')
  const file = `models/${slug(name)}.yaml`
  refuseExisting(tree, file)
  tree.write(
    file,
    `# Run entries call it model=${name}. Its key: ${organization.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_API_KEY, where its server wants one.
model_deployments:
  - name: ${name}
    model_name: ${name}
    client_spec:
      class_name: medmake.chat
      args:
        base_url: ${JSON.stringify(baseUrl)}
        model: ${JSON.stringify(served ?? own)}
    limits:
      concurrency: ${concurrency}
`,
  )
}

/** A generator adds; what a user wrote stays. @throws ProblemError `nx/exists` */
const refuseExisting = (tree: Tree, file: string): void => {
  if (!tree.exists(file)) return
  throw new ProblemError({
    code: 'nx/exists',
    message: `${file} is there already`,
    where: { file },
    remedy: 'Choose another name, or edit that file.',
  })
}
