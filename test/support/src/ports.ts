/** The launcher's search for free ports, which no other process on this machine is given. */
export { findFreePorts, untilListening } from "@nutrition/local/ports";
