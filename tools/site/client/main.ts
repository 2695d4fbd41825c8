import { startLeaderboard } from '../pages/leaderboard/app.tsx'
import { startPage } from './start-page.ts'

// Every page's script but of those that show answers. Without it every page can be read but for the instances.
startPage({ leaderboard: startLeaderboard })
