import { render } from 'preact'
import type { SealedPack } from '../pack.ts'
import { App } from './app.tsx'
import { remoteDesk } from './remote-desk.ts'
import { sealedDesk } from './sealed-desk.ts'

const root = document.getElementById('desk')
const sealed = document.getElementById('sealed')?.textContent
const desk = sealed == null ? remoteDesk() : sealedDesk(JSON.parse(sealed) as SealedPack)
if (root !== null) render(<App desk={desk} />, root)
