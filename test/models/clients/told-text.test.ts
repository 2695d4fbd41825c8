import { expect, test } from 'vitest'
import { keyHider } from '../../../models/clients/chat/plain-fetch.ts'
import { toldText } from '../../../models/clients/wire/wire-form.ts'

test('What steers a terminal or ends a line is shown by its code, and what is long is cut', () => {
  expect(toldText('a\nb\r\tc')).toBe(String.raw`a\nb\r\tc`)
  expect(toldText('\u001b[2J\u0007\u202e')).toBe(String.raw`\u001b[2J\u0007\u202e`)
  expect(toldText('é – 漢')).toBe('é – 漢')
  expect(toldText('x'.repeat(500))).toBe('x'.repeat(500))
  expect(toldText('x'.repeat(501))).toBe(`${'x'.repeat(500)}…`)
})

test('A key of eight characters is hidden, one that is shorter stands for none', () => {
  expect(keyHider('sk-4567/')('Your sk-4567/, sk-4567\\/ and sk-4567%2F.')).toBe(
    'Your [key], [key] and [key].',
  )
  expect(keyHider('s')('seconds')).toBe('seconds')
  expect(keyHider('sk-4567')('sk-4567')).toBe('sk-4567')
})
