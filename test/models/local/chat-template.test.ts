import { expect, test } from 'vitest'
import { chatTemplate } from '../../../models/local/chat-template.ts'
import { problemOf } from '../../rig/problem-of.ts'

const hello = [{ role: 'user', content: 'Hello' }] as const
const render = (config: Readonly<Record<string, unknown>>, jinja?: string): string | undefined =>
  chatTemplate(config, jinja, 'm')?.(hello)

test('a file of its own wins over the tokenizer’s; of several, the default is taken; there may be none', () => {
  expect(render({ chat_template: 'a {{ messages[0].content }}' })).toBe('a Hello')
  expect(render({ chat_template: 'a' }, 'b')).toBe('b')
  expect(
    render({
      chat_template: [
        { name: 'tool_use', template: 'x' },
        { name: 'default', template: 'y' },
      ],
    }),
  ).toBe('y')
  expect(render({})).toBeUndefined()
})

test('special tokens are known by name, written plainly or with their habits', () => {
  expect(
    render({
      bos_token: '<s>',
      eos_token: { content: '</s>' },
      chat_template: '{{ bos_token }}{{ eos_token }}',
    }),
  ).toBe('<s></s>')
})

test('a template that writes the date writes the same one every day', () => {
  const dated = "{% if strftime_now is defined %}{{ strftime_now('%d %b %Y') }}{% endif %}"
  expect(render({ chat_template: dated })).toBe('26 Jul 2024')
  expect(() => render({ chat_template: "{{ strftime_now('%Q') }}" })).toThrow('%Q')
})

test('no tools and no documents are told, as transformers does', () => {
  expect(
    render({ chat_template: '{% if tools is not none or documents is not none %}tools{% endif %}!' }),
  ).toBe('!')
})

test('a template that can not be read is a problem of the model’s folder', async () => {
  expect(await problemOf(() => chatTemplate({ chat_template: '{% if %}' }, undefined, 'm'))).toMatchObject({
    code: 'models/chat-template',
    where: { file: 'm' },
  })
})
