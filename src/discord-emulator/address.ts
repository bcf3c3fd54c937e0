/** The emulator's address, after its port is known. */
export class Address {
  port = 0

  /** The address for `rest.api`, without the version. */
  get restUrl(): string {
    return `http://127.0.0.1:${this.port}/api`
  }

  get cdnUrl(): string {
    return `http://127.0.0.1:${this.port}/cdn`
  }

  get gatewayUrl(): string {
    return `ws://127.0.0.1:${this.port}/gateway`
  }
}
