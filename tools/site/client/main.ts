import { startLeaderboard } from '../pages/leaderboard/app.tsx'
import { startFront } from '../pages/figures/front-figure.tsx'
import { startPage } from './start-page.ts'

// Every page's script but of those that show answers. Without it every page can be read but for the instances.
startPage({ front: startFront, leaderboard: startLeaderboard })
