import type { Config } from '../config/config.ts'
import { storedProject } from './own-project.ts'

/**
 * Recognizes the callbacks that the bundled service sends to the bot in the same process: those of the bot's project to
 * the bot's web server. These callbacks may go to an address of this machine. Create it before the service starts, so
 * that no callback left from an earlier run is refused.
 */
export class OwnCallbacks {
  readonly #origins = new Set<string>()
  #projectId: string | undefined

  /** Throws Problem if the project's key cannot be read. */
  constructor({ callbacks, dataFolder, provider }: Pick<Config, 'callbacks' | 'dataFolder' | 'provider'>) {
    if (provider === undefined) this.#projectId = storedProject(dataFolder)?.projectId
    if (callbacks.publicUrl !== undefined) this.arriveAt(callbacks.publicUrl)
    if (callbacks.port !== 0)
      for (const host of ['127.0.0.1', '[::1]']) this.arriveAt(`http://${host}:${callbacks.port}`)
  }

  /** Adds an address of the bot's web server. */
  readonly arriveAt = (url: string): void => void this.#origins.add(new URL(url).origin)

  /** Sets the id of the bot's project. */
  belongTo(projectId: string): void {
    this.#projectId = projectId
  }

  /** Returns the id of the bot's project; undefined before the bot's first start. */
  readonly project = (): string | undefined => this.#projectId

  readonly isOwn = (projectId: string): boolean => projectId === this.#projectId

  readonly include = (projectId: string, url: string): boolean =>
    this.isOwn(projectId) && URL.canParse(url) && this.#origins.has(new URL(url).origin)
}
