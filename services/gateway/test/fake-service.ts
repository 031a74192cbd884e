import type { DescService } from "@bufbuild/protobuf";
import { bind } from "@nutrition/rpc/server";
import type { ServiceBinding } from "@nutrition/rpc/server";
import type { Access } from "@nutrition/rpc/access";
import type { Handlers } from "@nutrition/rpc/service-definition";

/** Binds handlers that only the gateway may call; `withoutUser` names those that need no user. */
export function serve<Service extends DescService>(
  service: Service,
  handlers: Handlers<Service>,
  withoutUser: readonly string[],
): ServiceBinding {
  const access = Object.fromEntries(
    Object.keys(handlers).map((method) => {
      const user = withoutUser.includes(method) ? "none" : "required";
      return [method, { callers: ["gateway"], user }];
    }),
  );
  return bind(service, handlers, access as unknown as Access<Service>);
}

/** A document as a service sends it. */
export function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
