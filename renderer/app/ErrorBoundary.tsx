import { Component } from "react";
import type { ReactNode } from "react";
import { useSpeech } from "../words/WordsProvider.tsx";

interface Props {
  readonly children: ReactNode;
}
interface State {
  readonly isBroken: boolean;
}

/** A fault while drawing takes one page, not the window; React has no function for this. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { isBroken: false };

  static getDerivedStateFromError(): State {
    return { isBroken: true };
  }

  override render(): ReactNode {
    if (!this.state.isBroken) return this.props.children;
    return <Broken onAgain={() => this.setState({ isBroken: false })} />;
  }
}

function Broken({ onAgain }: { readonly onAgain: () => void }) {
  const { say } = useSpeech();
  return (
    <div className="refused" role="alert">
      <p className="refused-what"><span aria-hidden="true" className="alert-mark">▲</span> {say("fault.what")}</p>
      <p>{say("fault.todo")}</p>
      <p className="actions"><button type="button" className="link" onClick={onAgain}>{say("action.again")}</button></p>
    </div>
  );
}
