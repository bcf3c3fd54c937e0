import type { MessageView } from '../../src/discord-emulator/views.ts'
import { Stage } from '../../src/playground/flows/stage.ts'

/** A stage that repeats commands that a busy bot answered too late, since nothing was done then. */
export class StubbornStage extends Stage {
  override command(...command: Parameters<Stage['command']>): Promise<MessageView[]> {
    return untilInTime(() => super.command(...command))
  }

  override press(...press: Parameters<Stage['press']>): Promise<MessageView[]> {
    return untilInTime(() => super.press(...press))
  }
}

async function untilInTime<T>(act: () => Promise<T>, tries = 5): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (tries <= 1 || !/did not respond/.test(String(error))) throw error
    return await untilInTime(act, tries - 1)
  }
}
