import { render } from 'preact'
import { App } from './app.tsx'
import { remoteDesk } from './remote-desk.ts'

const root = document.getElementById('desk')
if (root !== null) render(<App desk={remoteDesk()} />, root)
