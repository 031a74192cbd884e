/** The same bytes, not copied, as the Buffer that grpc-js requires. */
export function bufferView(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
