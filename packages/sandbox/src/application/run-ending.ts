// How a prompt can end before its last node.
export class Interrupted extends Error {
  constructor() {
    super("The prompt was interrupted.");
    this.name = "Interrupted";
  }
}

// In the application's words: the name and message of the exception that the node raised.
export class NodeFailure extends Error {
  readonly nodeId: string;
  readonly exceptionType: string;

  constructor(nodeId: string, exceptionType: string, message: string) {
    super(message);
    this.name = "NodeFailure";
    this.nodeId = nodeId;
    this.exceptionType = exceptionType;
  }
}
