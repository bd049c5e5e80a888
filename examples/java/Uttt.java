// A program that plays ultimate over the CodinGame protocol: Monte Carlo tree search.
//
//     javac -d build Uttt.java && jar --create --file uttt.jar --main-class Uttt -C build .
//
// Blocks and cells are numbered 0 to 8, row by row; a move is 9 * block + cell. Nine cells are the bits of one int.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

public final class Uttt {
    static final long NANOSECONDS_FOR_A_MOVE = 60_000_000; // of 100 milliseconds
    static final int MOST_NODES = 50_000; // more keep the garbage collector busy while the clock runs
    static final double CURIOSITY = 1.0;
    static final int FULL = 0b111_111_111;
    static final int[] LINES = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124}; // octal: one digit is one row

    static final Random random = new Random(1); // the same game again gets nearly the same moves

    /** A position; `play` changes it. */
    static final class Position {
        final int[][] cells = new int[2][9]; // by player
        final int[] won = new int[2]; // blocks, by player
        int finished; // blocks that are won or full
        int target = -1; // the block that the last move names
        int mover;

        Position copy() {
            Position copy = new Position();
            for (int player = 0; player < 2; player++) {
                System.arraycopy(cells[player], 0, copy.cells[player], 0, 9);
                copy.won[player] = won[player];
            }
            copy.finished = finished;
            copy.target = target;
            copy.mover = mover;
            return copy;
        }

        void play(int move) {
            int block = move / 9;
            int cell = move % 9;
            cells[mover][block] |= 1 << cell;
            if (hasLine(cells[mover][block])) {
                won[mover] |= 1 << block;
                finished |= 1 << block;
            } else if ((cells[0][block] | cells[1][block]) == FULL) {
                finished |= 1 << block;
            }
            target = cell;
            mover = 1 - mover;
        }

        boolean isOver() {
            return finished == FULL || hasLine(won[1 - mover]); // only the last move can have won
        }

        /** 1 when the first player has won, 0 when the second has, a half for a draw; of a finished position. */
        double firstPlayersResult() {
            return hasLine(won[0]) ? 1 : hasLine(won[1]) ? 0 : 0.5;
        }

        /** Writes the legal moves into the array and says how many there are. */
        int moves(int[] list) {
            int count = 0;
            boolean isSent = target >= 0 && (finished >> target & 1) == 0;
            for (int block = 0; block < 9; block++) {
                if (isSent ? block != target : (finished >> block & 1) == 1) {
                    continue;
                }
                for (int free = FULL & ~(cells[0][block] | cells[1][block]); free != 0; free &= free - 1) {
                    list[count++] = 9 * block + Integer.numberOfTrailingZeros(free);
                }
            }
            return count;
        }
    }

    /** A move in the tree, with what came of the games that went through it. */
    static final class Node {
        final int move;
        int games;
        double wins; // for the player who makes this move
        Node[] children; // none until the node is visited for the second time

        Node(int move) {
            this.move = move;
        }

        /** The child that wins often, or of which we know little (the rule is called UCB1). */
        Node mostInteresting() {
            Node best = null;
            double bestScore = -1;
            double logGames = Math.log(games + 1);
            for (Node child : children) {
                if (child.games == 0) {
                    return child;
                }
                double score = child.wins / child.games + CURIOSITY * Math.sqrt(logGames / child.games);
                if (score > bestScore) {
                    bestScore = score;
                    best = child;
                }
            }
            return best;
        }
    }

    static boolean hasLine(int places) {
        for (int line : LINES) {
            if ((places & line) == line) {
                return true;
            }
        }
        return false;
    }

    static Node[] nodesFor(int[] moves, int count) {
        Node[] nodes = new Node[count];
        for (int i = 0; i < count; i++) {
            nodes[i] = new Node(moves[i]);
        }
        return nodes;
    }

    /** The one of these moves that was tried most often until the deadline. */
    static int bestMove(Position position, int[] legal, int count, long deadline) {
        Node root = new Node(-1);
        root.children = nodesFor(legal, count);
        int[] moves = new int[81];
        List<Node> path = new ArrayList<>();
        int size = count;
        do {
            // Down the tree, to a node that has no children yet.
            Position current = position.copy();
            Node node = root;
            path.clear();
            path.add(root);
            while (node.children != null) {
                node = node.mostInteresting();
                current.play(node.move);
                path.add(node);
                if (node.children == null && node.games > 0 && !current.isOver() && size < MOST_NODES) {
                    node.children = nodesFor(moves, current.moves(moves));
                    size += node.children.length;
                }
            }
            // A random game from there to its end.
            while (!current.isOver()) {
                current.play(moves[random.nextInt(current.moves(moves))]);
            }
            // Its result goes to every move on the path; the players take turns.
            double result = current.firstPlayersResult();
            int player = 1 - position.mover; // who has "made" the root
            for (Node visited : path) {
                visited.games++;
                visited.wins += player == 0 ? result : 1 - result;
                player = 1 - player;
            }
        } while (count > 1 && System.nanoTime() < deadline);
        Node best = root.children[0];
        for (Node child : root.children) {
            if (child.games > best.games) {
                best = child;
            }
        }
        return best.move;
    }

    static int moveIn(String line) {
        String[] words = line.trim().split(" +");
        int row = Integer.parseInt(words[0]);
        int column = Integer.parseInt(words[1]);
        return row < 0 ? -1 : 9 * (row / 3 * 3 + column / 3) + row % 3 * 3 + column % 3;
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        Position position = new Position();
        int[] legal = new int[81];
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            long deadline = System.nanoTime() + NANOSECONDS_FOR_A_MOVE;
            int opponentsMove = moveIn(line); // "-1 -1" where there is none
            if (opponentsMove >= 0) {
                position.play(opponentsMove);
            }
            int count = Integer.parseInt(input.readLine().trim()); // then the legal moves, one a line
            for (int i = 0; i < count; i++) {
                legal[i] = moveIn(input.readLine());
            }
            if (count == 0) {
                count = position.moves(legal); // a referee may leave the list to us
            }
            int move = bestMove(position, legal, count, deadline);
            position.play(move);
            int row = move / 9 / 3 * 3 + move % 9 / 3;
            int column = move / 9 % 3 * 3 + move % 9 % 3;
            System.out.println(row + " " + column); // println on System.out sends the line off at once
        }
    }
}
