/** One event of a stream, as a program parses it. */
export interface ReadEvent {
  readonly id: string
  readonly event: string
  readonly data: {
    readonly id: string
    readonly createdAt: string
    readonly timestamp: string
    readonly signature: string
    readonly body: string
  }
}

/** A program that reads a stream and records its events. */
export class EventReader {
  readonly events: ReadEvent[] = []
  readonly response: Response
  /** Resolves when the stream has ended. */
  readonly ended: Promise<void>
  readonly #ends: AbortController

  private constructor(response: Response, ends: AbortController) {
    this.response = response
    this.#ends = ends
    this.ended = this.#read().catch(() => undefined)
  }

  static async open(url: string, apiKey: string, lastEventId?: string): Promise<EventReader> {
    const ends = new AbortController()
    const headers = { apikey: apiKey, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) }
    return new EventReader(await fetch(`${url}/v0/events`, { headers, signal: ends.signal }), ends)
  }

  get ids(): string[] {
    return this.events.map(({ id }) => id)
  }

  /** The parsed bodies of the events. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every kind; tests look into them
  get bodies(): any[] {
    return this.events.map(({ data }) => JSON.parse(data.body))
  }

  async close(): Promise<void> {
    this.#ends.abort()
    await this.ended
  }

  async #read(): Promise<void> {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of this.response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      const frames = text.split('\n\n')
      text = frames.pop() ?? ''
      for (const frame of frames) {
        const [, id, event, data] = /^id: (\S+)\nevent: (\S+)\ndata: (.*)$/.exec(frame) ?? []
        if (id !== undefined && event !== undefined && data !== undefined)
          this.events.push({ id, event, data: JSON.parse(data) })
      }
    }
  }
}
