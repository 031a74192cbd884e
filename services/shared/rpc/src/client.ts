import type {
  DescMessage,
  DescMethod,
  DescService,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import { fromBinary } from "@bufbuild/protobuf";
import { OutgoingCalls } from "@nutrition/telemetry/tracing/calls";

import { messageEncoder } from "./message-encoder.ts";
import { methodPath } from "./service-definition.ts";
import type { CallOptions, Client, Transport } from "./service-definition.ts";

/** A typed client of `service` over `transport`, which the caller must close. */
export function createClient<Service extends DescService>(
  service: Service,
  transport: Transport,
): Client<Service> {
  const methods = Object.values<DescMethod>(service.method).map((method) => [
    method.localName,
    callerOf(method, transport),
  ]);
  return Object.fromEntries(methods) as Client<Service>;
}

function callerOf({ input, output, ...method }: DescMethod, transport: Transport) {
  const path = methodPath(method);
  const calls = new OutgoingCalls(path);
  const encode = messageEncoder(input);
  return async (
    request: MessageInitShape<DescMessage>,
    options: CallOptions,
  ): Promise<MessageShape<DescMessage>> => {
    const bytes = encode(request);
    return fromBinary(output, await calls.run(() => transport.call(path, bytes, options)));
  };
}
