import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { inFlight, mustHaveOnce } from './service-is-down.ts'
import { SlowRoad } from './slow-road.ts'
import type { Stage } from './stage.ts'

/**
 * Runs the bot as a process of its own and kills it at the worst moment: the service has made the payment, and its
 * answer is still on the way. The emulator and the service continue.
 */
export async function botIsKilled(stage: Stage): Promise<void> {
  const wallet = 'bobby'
  const inWallet = await stage.holds('service', 'wallet', wallet)
  const here = await stage.holds('bot', 'member', 'bob')
  await stage.world.bot.kill()
  const road = await SlowRoad.open(stage.world.service.url)
  try {
    const doomed = await startBotProcess(stage, road.url)
    const answerIsOnTheRoad = road.holdNextAnswer('/v0/gamertag/send-payment')
    stage.teller.line(`alice › /tip to: @bob amount: 400`)
    stage.person('alice').run(stage.channel(), 'tip', { to: stage.id('bob'), amount: '400' })
    await answerIsOnTheRoad
    doomed.kill('SIGKILL')
    await once(doomed, 'exit')
    stage.teller.line('⚙ the bot process is killed: the service has paid, and the bot has not heard of it')
    road.dropHeld()
    const reborn = await startBotProcess(stage, road.url)
    stage.teller.line('⚙ the bot process is started again')
    await stage.until('the tip has ended', async () => !(await inFlight(stage)))
    await stage.sees('alice', /tipped[\s\S]*\b400\b[\s\S]*in the (wallet|balance)/)
    reborn.kill('SIGTERM')
    await once(reborn, 'exit')
  } finally {
    await road.close()
  }
  await stage.world.bot.start()
  await mustHaveOnce(stage, { amount: 400, wallet, inWallet, here })
}

/**
 * Starts a bot in its own process, which reaches the payments service at `paymentsUrl`. Resolves when it is connected.
 */
export async function startBotProcess(stage: Stage, paymentsUrl: string) {
  const environment = stage.world.bot.environment()
  const child = spawn(process.execPath, [resolve(import.meta.dirname, '../../cli/bot.ts')], {
    // The bot runs in the world's own folder, so it reads no .env of the machine.
    cwd: environment.DATA_FOLDER,
    env: { ...environment, DATA_FOLDER: '.', PAYMENTS_BASE_URL: paymentsUrl, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const chunk of child.stdout) if (String(chunk).includes('connected')) break
  return child
}
