// A host as the official package makes one, in the page around the card.
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

/** Shows the card at `url`; resolves once it has been given the tool's result. */
window.showCard = async ({ url, capabilities, context, input, result }) => {
  const frame = document.querySelector("iframe");
  const about = { name: "test-host", version: "1.0.0" };
  const bridge = new AppBridge(null, about, capabilities, { hostContext: context });
  window.bridge = bridge;
  bridge.oncalltool = (params) => window.callTool(params);
  bridge.onopenlink = async (params) => {
    await window.openLink(params.url);
    return {};
  };
  bridge.onupdatemodelcontext = async (params) => {
    await window.tellModel(params);
    return {};
  };
  bridge.onsizechange = ({ height }) => (frame.style.height = `${height}px`);
  const initialized = new Promise((resolve) => (bridge.oninitialized = resolve));
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.src = url;
  await initialized;
  await bridge.sendToolInput({ arguments: input });
  if (result !== undefined) await bridge.sendToolResult(result);
};
